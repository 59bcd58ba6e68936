-- SPDX-License-Identifier: MIT
-- One line at the screen's lower right edge. It takes no focus, and keys only in Normal mode, only those that the
-- person has not mapped, and only while it is there.

local shown = require("continuo.shown")

local prompt = { text = nil }

local api = vim.api
local window, buffer = nil, nil
local mapped = {}

local function unmap()
  for _, each in ipairs(api.nvim_get_keymap("n")) do
    -- The person may have mapped the key meanwhile.
    if each.desc == "continuo" and mapped[each.lhs] then pcall(vim.keymap.del, "n", each.lhs) end
  end
  mapped = {}
end

local function map(keys)
  unmap()
  for key, action in pairs(keys) do
    if key ~= "" and vim.fn.mapcheck(key, "n") == "" then
      vim.keymap.set("n", key, action, { desc = "continuo", nowait = true })
      mapped[api.nvim_replace_termcodes(key, true, true, true)] = true
    end
  end
end

local function close()
  if window and api.nvim_win_is_valid(window) then pcall(api.nvim_win_close, window, true) end
  window = nil
end

local function draw()
  local text = " " .. prompt.text .. " "
  local width = math.max(1, math.min(vim.fn.strdisplaywidth(text), vim.o.columns))
  if not buffer or not api.nvim_buf_is_valid(buffer) then
    buffer = api.nvim_create_buf(false, true)
    vim.bo[buffer].bufhidden = "hide"
  end
  api.nvim_buf_set_lines(buffer, 0, -1, false, { text })
  local shape = {
    relative = "editor", anchor = "SE", row = vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0),
    col = vim.o.columns, width = width, height = 1,
  }
  if window and api.nvim_win_is_valid(window) then return api.nvim_win_set_config(window, shape) end
  window = api.nvim_open_win(buffer, false, vim.tbl_extend("error", shape, {
    style = "minimal", focusable = false, noautocmd = true, zindex = 40,
  }))
end

-- Shows `text`; `keys` are what it offers. As good as possible: where no window can be opened, none is.
function prompt.show(text, keys)
  prompt.text = shown.text(text)
  map(keys)
  pcall(draw)
end

function prompt.hide()
  prompt.text = nil
  unmap()
  -- In the command-line window no other window can be closed.
  close()
end

-- Another tab page or another size.
function prompt.redraw()
  if not prompt.text then return end
  close()
  pcall(draw)
end

return prompt
