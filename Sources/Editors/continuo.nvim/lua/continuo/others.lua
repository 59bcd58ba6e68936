-- SPDX-License-Identifier: MIT
-- Who else has a document: the device that goes on with it, and those that edit it, too.

local connection = require("continuo.connection")
local documents = require("continuo.documents")
local drafts = require("continuo.drafts")
local messages = require("continuo.messages")
local names = require("continuo.names")
local presence = require("continuo.presence")

local others = {}

local api = vim.api
-- By buffer: what is shown of the device that goes on with it, and of one that edits it.
local continued, editing = {}, {}

-- The time of day, with the date where it is not today's.
local function clock(milliseconds)
  if type(milliseconds) ~= "number" then return nil end
  local moment = math.floor(milliseconds / 1000)
  local isToday = os.date("%F", moment) == os.date("%F")
  return os.date(isToday and "%H:%M" or "%F %H:%M", moment)
end

-- `activity/wasContinued`.
function others.was_continued(params)
  local moment = clock(params.at)
  local sentence = "continued on " .. params.device .. (moment and " at " .. moment or "")
  local buffer = params.uri and documents.buffer(params.uri)
  if buffer and params.givenUp then continued[buffer] = sentence end
  if drafts.was_continued(params, sentence) then return vim.cmd("redrawstatus") end
  messages.tell((params.uri and names.short(names.path(params.uri)) or "your work") .. " was " .. sentence)
  vim.cmd("redrawstatus")
end

-- The person changed the document here, or saved it: it is theirs again.
function others.take_back(buffer)
  if continued[buffer] then
    continued[buffer] = nil
    vim.cmd("redrawstatus")
  end
end

local function sentence(editor)
  local since = clock(editor.since)
  if editor.leftOpen then return editor.device .. " left this open" .. (since and " at " .. since or "") end
  return editor.device .. " is editing this" .. (since and " since " .. since or "")
    .. (editor.unsavedChanges and ", with unsaved changes" or "")
end

-- Asks who edits the document of `buffer` elsewhere.
function others.ask(buffer, uri)
  connection.request("document/otherEditors", { uri = uri }, function(_, result)
    local first = result and result.editors and result.editors[1]
    local told = first and sentence(first) or nil
    if editing[buffer] == told then return end
    editing[buffer] = told
    vim.schedule(function() vim.cmd("redrawstatus") end)
  end)
end

-- What other devices offer has changed.
function others.refresh()
  for buffer, uri in pairs(documents.uris()) do others.ask(buffer, uri) end
end

-- The server is gone, and what it told.
function others.forget() continued, editing = {}, {} end

-- What is to be said of `buffer`; nil for nothing.
function others.line(buffer)
  if not api.nvim_buf_is_valid(buffer) then return nil end
  return continued[buffer] or drafts.line(buffer) or presence.line(buffer) or editing[buffer]
end

-- For a status line. A name's "%" begins no item there.
function others.statusline()
  local line = others.line(api.nvim_get_current_buf())
  return line and (line:gsub("%%", "%%%%")) or ""
end

return others
