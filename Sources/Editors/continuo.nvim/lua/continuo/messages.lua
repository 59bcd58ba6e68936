-- SPDX-License-Identifier: MIT
-- What the person is told: one line that never asks for a key, and the last ones in full for `:ContinuoStatus`.

local shown = require("continuo.shown")

local messages = { log = {} }

local api = vim.api
local kept = 50
local seconds = 8
local window = nil

local function close(which)
  if which and api.nvim_win_is_valid(which) then pcall(api.nvim_win_close, which, true) end
end

-- The line above the prompt, while the person types: the last line of the screen is Neovim's own then.
local function note(line, level)
  close(window)
  local buffer = api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = "wipe"
  api.nvim_buf_set_lines(buffer, 0, -1, false, { " " .. line .. " " })
  local mine = api.nvim_open_win(buffer, false, {
    relative = "editor", anchor = "SE", col = vim.o.columns, height = 1, style = "minimal", focusable = false,
    row = math.max(1, vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0) - 1),
    width = math.max(1, math.min(vim.fn.strdisplaywidth(line) + 2, vim.o.columns)), noautocmd = true, zindex = 41,
  })
  if level == vim.log.levels.WARN then vim.wo[mine].winhighlight = "NormalFloat:WarningMsg" end
  window = mine
  vim.defer_fn(function() close(mine) end, seconds * 1000)
end

-- `level` is one of `vim.log.levels`.
function messages.tell(given, level)
  local text = shown.text(given)
  table.insert(messages.log, os.date("%H:%M:%S ") .. text)
  if #messages.log > kept then table.remove(messages.log, 1) end
  vim.schedule(function()
    local line = "continuo: " .. text:gsub("%s+", " ")
    -- A longer line would wait for Enter, and take the next key for it.
    local room = math.max(20, vim.o.columns - 14)
    if vim.fn.strdisplaywidth(line) > room then
      line = vim.fn.strcharpart(line, 0, room - 2) .. " …"
    end
    vim.notify(line, level or vim.log.levels.INFO)
    if api.nvim_get_mode().mode ~= "n" then pcall(note, line, level) end
  end)
end

function messages.warn(text) messages.tell(text, vim.log.levels.WARN) end

-- The same sentence is told once, until `again` is called.
local told = {}
function messages.once(text)
  if told[text] then return end
  told[text] = true
  messages.warn(text)
end

function messages.again() told = {} end

return messages
