-- SPDX-License-Identifier: MIT
-- Which linked devices have a document open this very moment, and at which line; and where the cursor is here, for
-- them. Only in folders where the person wants that: `continuo folder set NAME --presence on`.

local connection = require("continuo.connection")
local documents = require("continuo.documents")

local presence = {}

local api = vim.api
local namespace = api.nvim_create_namespace("continuo-presence")
-- By buffer: what is said of those that are there, and the line that was told last.
local present, told = {}, {}

api.nvim_set_hl(0, "ContinuoPresence", { link = "Comment", default = true })

-- The cursor of the current window may be in another line, which somebody shows.
function presence.moved()
  local buffer = api.nvim_get_current_buf()
  local uri = present[buffer] and documents.uri(buffer)
  if not uri then return end
  local line = api.nvim_win_get_cursor(0)[1] - 1
  if told[buffer] == line then return end
  told[buffer] = line
  connection.notify("document/cursorDidMove", { uri = uri, line = line })
end

local function line_of(device)
  return type(device.line) == "number" and math.max(0, math.floor(device.line)) or nil
end

local function sentence(device)
  local line = line_of(device)
  return device.device .. " has this open" .. (line and string.format(", at line %d", line + 1) or "")
end

-- Shows each device at the end of its line; one that is further down than this text, at the last one.
local function mark(buffer, devices)
  api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  local last = api.nvim_buf_line_count(buffer) - 1
  for _, device in ipairs(devices) do
    local line = line_of(device)
    if line then
      api.nvim_buf_set_extmark(buffer, namespace, math.min(line, last), 0, {
        virt_text = { { " ◂ " .. device.device, "ContinuoPresence" } }, virt_text_pos = "eol",
      })
    end
  end
end

-- `document/presenceDidChange`.
function presence.changed(params)
  local buffer = params.uri and documents.buffer(params.uri)
  if not buffer then return end
  mark(buffer, params.devices)
  present[buffer] = #params.devices > 0 and table.concat(vim.tbl_map(sentence, params.devices), "; ") or nil
  if not present[buffer] then told[buffer] = nil end
  presence.moved()
  vim.cmd("redrawstatus")
end

-- The document of `buffer` may have been closed; `:edit` unloads it, too.
function presence.unloading(buffer)
  vim.schedule(function()
    if not documents.is_open(buffer) then present[buffer], told[buffer] = nil, nil end
  end)
end

-- The server is gone, and what it told and was told.
function presence.forget()
  for buffer in pairs(present) do
    if api.nvim_buf_is_valid(buffer) then api.nvim_buf_clear_namespace(buffer, namespace, 0, -1) end
  end
  present, told = {}, {}
end

-- What is to be said of `buffer`; nil for nothing.
function presence.line(buffer) return present[buffer] end

return presence
