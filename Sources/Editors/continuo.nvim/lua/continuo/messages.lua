-- SPDX-License-Identifier: MIT
-- What the person is told: one line that never asks for a key, and the last ones in full for `:ContinuoStatus`.

local shown = require("continuo.shown")

local messages = { log = {} }

local kept = 50

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
