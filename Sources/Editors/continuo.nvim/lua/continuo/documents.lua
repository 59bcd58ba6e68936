-- SPDX-License-Identifier: MIT
-- Which buffers are documents, what the server hears of them, and what it asks.

local connection = require("continuo.connection")
local messages = require("continuo.messages")
local names = require("continuo.names")
local place = require("continuo.place")
local saving = require("continuo.saving")
local stamps = require("continuo.stamps")

local documents = {}

local api, uv = vim.api, vim.loop
local options = {}
-- By buffer: `uri` as the server knows it, `standing` as it told, `told` the state told last, `seen` the state seen
-- last, `usedAt` when the person last typed or moved, `typedAt` when they last typed, `isWorkedOn` whether they did
-- since another device's version came, `isTouched` whether they did since the server was told.
local open = {}
local current = nil
local isLeaving = false
local pace = 150
local isTelling = false
local tell_touched = function() end

-- `touched(buffer)` is called when the person did something in a document, or saved it.
function documents.configure(given, touched) options, tell_touched = given, touched end

local function is_document(buffer)
  if not api.nvim_buf_is_loaded(buffer) or vim.bo[buffer].buftype ~= "" then return false end
  local name = api.nvim_buf_get_name(buffer)
  return name:sub(1, 1) == "/" and stamps.is_there(buffer)
end

-- What can differ between two rounds. Nobody moves in a buffer that no window shows.
local function state(buffer)
  local window = place.window(buffer)
  local seen = open[buffer] and open[buffer].seen or { line = 0, column = 0 }
  local cursor = window and api.nvim_win_get_cursor(window) or { seen.line, seen.column }
  local mode = api.nvim_get_mode().mode
  local isVisual = (mode == "v" or mode == "V") and buffer == api.nvim_get_current_buf()
  local top = window and vim.fn.line("w0", window) or 0
  local other = isVisual and table.concat(vim.fn.getpos("v"), ",") or ""
  return {
    tick = api.nvim_buf_get_changedtick(buffer), line = cursor[1], column = cursor[2], top = top, other = other,
    isModified = vim.bo[buffer].modified,
  }
end

-- What the person has to do with the place is what makes it used, not what the window shows.
local function is_moved(old, new)
  return old.tick ~= new.tick or old.line ~= new.line or old.column ~= new.column or old.other ~= new.other
end

-- The buffer is as the plugin has left it: nobody moved or typed by that.
function documents.settle(buffer)
  if open[buffer] and api.nvim_buf_is_loaded(buffer) then open[buffer].seen = state(buffer) end
end

-- Whether the person has used `buffer` since `moment`, in nanoseconds of `vim.loop.hrtime`.
function documents.is_used(buffer, moment)
  local document = open[buffer]
  if not document then return false end
  documents.look(buffer)
  return (document.usedAt or 0) > moment
end

-- The buffer shows what its file holds, or what another device left.
function documents.note_version(buffer)
  documents.settle(buffer)
  if open[buffer] then open[buffer].isWorkedOn = false end
end

-- Whether the person works on this document here, and nothing newer lies beneath.
function documents.is_worked_on(uri)
  local buffer = uri and documents.buffer(uri)
  if not buffer then return false end
  documents.look(buffer)
  return open[buffer].isWorkedOn == true and stamps.is_unchanged(buffer)
end

-- Takes note of what the person does in `buffer`; true when anything differs from what the server knows.
function documents.look(buffer)
  local document = open[buffer]
  local new = state(buffer)
  if document.seen and is_moved(document.seen, new) then
    document.usedAt, document.isWorkedOn = uv.hrtime(), true
    -- Neovim moves the cursor of insert mode a moment after the file was read again.
    local isReading = uv.hrtime() - (document.readAt or 0) < 300e6
    if not isReading or vim.bo[buffer].modified then document.isTouched = true end
    if document.seen.tick ~= new.tick then document.typedAt = document.usedAt end
  end
  document.seen = new
  return not vim.deep_equal(document.told, new)
end

-- MARK: Telling

local function tell_changes()
  isTelling = false
  for buffer, document in pairs(open) do
    if api.nvim_buf_is_loaded(buffer) and (documents.look(buffer) or document.isWanted) then
      local byPerson = document.isTouched == true
      document.told, document.isWanted, document.isTouched = document.seen, nil, nil
      if byPerson then tell_touched(buffer) end
      connection.notify("document/didChange", {
        uri = document.uri, edited = vim.bo[buffer].modified and not isLeaving, byPerson = byPerson,
      })
    end
  end
end

local function tell_soon(milliseconds)
  if isTelling then return end
  isTelling = true
  vim.defer_fn(tell_changes, milliseconds)
end

-- Something happened in `buffer` that may be worth telling.
function documents.touch(buffer)
  if not open[buffer] then return end
  if documents.look(buffer) then tell_soon(pace) end
end

local function tell_current(buffer)
  if open[buffer] then
    current = buffer
    connection.notify("document/becomeCurrent", { uri = open[buffer].uri })
  end
end

function documents.enter(buffer)
  if open[buffer] and not place.is_aside then
    tell_current(buffer)
    documents.touch(buffer)
  end
end

-- The server has a document from the moment its file is read; it is asked how that stands.
local function say_open(buffer)
  local document = open[buffer]
  document.told = state(buffer)
  document.seen = document.seen or document.told
  local edited = vim.bo[buffer].modified and not isLeaving
  connection.request("document/open", { uri = document.uri, edited = edited }, function(failure, result)
    if open[buffer] ~= document then return end
    document.standing = result or { synced = false, reason = failure and failure.message }
  end)
end

-- The buffer was read from its file, for the first time or again.
function documents.read(buffer)
  -- Recovered text, or an event that comes again: the buffer is not what the file holds.
  if vim.bo[buffer].modified then stamps.forget(buffer) else stamps.note(buffer) end
  documents.adopt(buffer)
end

-- The URI of the buffer's document; nil for another buffer.
function documents.uri(buffer) return open[buffer] and open[buffer].uri end

-- Makes a document of a buffer that is one.
function documents.adopt(buffer)
  if not is_document(buffer) then return end
  local isNew = open[buffer] == nil
  if isNew then open[buffer] = { uri = names.uri(api.nvim_buf_get_name(buffer)) } end
  connection.start()
  say_open(buffer)
  -- What the rest of reading does (a mark that is jumped to, a modeline) is not the person's doing.
  local document = open[buffer]
  local usedAt, typedAt, isTouched = document.usedAt, document.typedAt, document.isTouched
  document.readAt = uv.hrtime()
  vim.schedule(function()
    documents.note_version(buffer)
    document.usedAt, document.typedAt, document.isTouched = usedAt, typedAt, isTouched
  end)
  if isNew and not place.is_aside and buffer == api.nvim_get_current_buf() then tell_current(buffer) end
end

-- A buffer that was read before anybody looked: its file counts as unchanged only if it holds that very text.
function documents.adopt_late(buffer)
  if not is_document(buffer) then return end
  if not vim.bo[buffer].modified and stamps.holds_file(buffer) then stamps.note(buffer) end
  documents.adopt(buffer)
end

-- `:write`; into another file (`:write other`) it means nothing.
function documents.written(buffer, path)
  if vim.fn.fnamemodify(path, ":p") ~= api.nvim_buf_get_name(buffer) then return end
  stamps.note(buffer)
  if not open[buffer] then return documents.adopt(buffer) end
  tell_touched(buffer)
  connection.notify("document/didSave", { uri = open[buffer].uri })
  documents.touch(buffer)
end

-- The buffer has another name.
function documents.renamed(buffer)
  local document = open[buffer]
  local uri = names.uri(api.nvim_buf_get_name(buffer))
  if not document or uri == document.uri then return end
  connection.notify("document/didMove", { uri = document.uri, newUri = uri })
  document.uri = uri
end

-- The buffer may be about to go: `:edit` unloads, too, and a quitting Neovim withdraws nothing.
function documents.unloading(buffer)
  if not open[buffer] or vim.v.exiting ~= vim.NIL or isLeaving then return end
  vim.schedule(function()
    local document = open[buffer]
    if not document or isLeaving or api.nvim_buf_is_valid(buffer) and api.nvim_buf_is_loaded(buffer) then return end
    open[buffer] = nil
    stamps.forget(buffer)
    if current == buffer then current = nil end
    connection.request("document/close", { uri = document.uri })
  end)
end

-- A server that was just started hears everything.
function documents.say_all()
  for buffer in pairs(open) do
    if api.nvim_buf_is_loaded(buffer) then say_open(buffer) end
  end
  local here = api.nvim_get_current_buf()
  tell_current(open[here] and here or current or -1)
end

-- The last that is told. Text that is given up by `:quit!` is not saved after all.
function documents.leave()
  isLeaving = true
  tell_changes()
end

-- MARK: Rounds

-- Milliseconds in which nobody typed that are a pause: tests of slow machines set it.
documents.pause = 1500

-- Whether the person has not typed in `buffer` for a moment.
function documents.is_pause(buffer)
  local typedAt = open[buffer] and open[buffer].typedAt
  return not typedAt or uv.hrtime() - typedAt > documents.pause * 1e6
end

-- `activity/update`. On the device `requestedBy` the person goes on with it: nobody is in the middle of a word here.
function documents.round(params)
  local buffer = documents.buffer(params.uri)
  if not buffer then return vim.empty_dict() end
  local document = open[buffer]
  local name, refusal = names.short(names.path(document.uri)), nil
  documents.look(buffer)
  if options.autosave and not isLeaving then
    local isSaved, isWorthTrying, reason = saving.save(buffer, params.requestedBy or documents.is_pause(buffer))
    if isWorthTrying then
      document.isWanted = true
      vim.defer_fn(function() tell_soon(0) end, documents.pause)
    elseif not isSaved then
      messages.once(name .. " is handed over without your last changes: it " .. reason)
      refusal = params.requestedBy and name .. " " .. reason
    end
    documents.settle(buffer)
  end
  -- What the person did is told by the round; what saving did is not theirs.
  document.told, document.isTouched = document.seen, nil
  return {
    place = place.of(buffer), edited = vim.bo[buffer].modified and not isLeaving, title = name, refusal = refusal,
  }
end

-- MARK: Looking up

-- The loaded buffer of a document, by its name or by the file that it leads to; nil.
function documents.buffer(uri)
  local path = names.path(uri)
  if not path then return nil end
  for buffer, document in pairs(open) do
    local isNamed = document.uri == uri or names.path(document.uri) == path
    if isNamed and api.nvim_buf_is_loaded(buffer) then return buffer end
  end
  local resolved = uv.fs_realpath(path)
  for buffer, document in pairs(open) do
    local name = names.path(document.uri)
    if resolved and api.nvim_buf_is_loaded(buffer) and uv.fs_realpath(name) == resolved then return buffer end
  end
end

function documents.is_open(buffer) return open[buffer] ~= nil end

-- The name of every document, by buffer.
function documents.uris() return vim.tbl_map(function(document) return document.uri end, open) end

-- Name, standing and activity of every document, for people.
function documents.list()
  local found = {}
  for buffer, document in pairs(open) do
    table.insert(found, { buffer = buffer, path = names.path(document.uri), standing = document.standing })
  end
  table.sort(found, function(left, right) return left.buffer < right.buffer end)
  return found
end

return documents
