-- SPDX-License-Identifier: MIT
-- What becomes of buffers whose files other programs change, and showing what is continued.

local documents = require("continuo.documents")
local messages = require("continuo.messages")
local names = require("continuo.names")
local place = require("continuo.place")
local saving = require("continuo.saving")
local stamps = require("continuo.stamps")

local files = {}

local api = vim.api
-- Where another device was: the buffer and the place.
local target = nil

-- No question about a swap file: `choice` is the answer. By default another Vim edits the file, so it is opened for
-- reading.
local function without_questions(body, choice)
  local isForeign = false
  local guard = api.nvim_create_autocmd("SwapExists", {
    callback = function()
      vim.v.swapchoice = choice or "o"
      isForeign = true
    end,
  })
  local isDone, failure = pcall(body)
  api.nvim_del_autocmd(guard)
  return isDone, failure, isForeign
end

files.without_questions = without_questions

-- Reads the file again; the text is not modified. View and place stay. False, and the text stays, when that fails:
-- `:edit` would empty the buffer of a file that is gone.
local function reload(buffer)
  local name = api.nvim_buf_get_name(buffer)
  if not stamps.is_there(buffer) or vim.fn.filereadable(name) ~= 1 then
    messages.warn(names.short(name) .. " cannot be read now; your text stays")
    return false
  end
  local function read()
    local view = vim.fn.winsaveview()
    local isDone, failure = without_questions(function() vim.cmd("silent keepalt keepjumps edit") end, "e")
    if not isDone then error(failure, 0) end
    vim.fn.winrestview(view)
  end
  local window = place.window(buffer)
  local isDone, failure
  if window then
    isDone, failure = pcall(place.aside, api.nvim_win_call, window, read)
  else
    isDone, failure = pcall(place.aside, api.nvim_buf_call, buffer, read)
  end
  if not isDone then messages.warn("the file could not be read again: " .. tostring(failure)) end
  documents.settle(buffer)
  return isDone
end

local function is_typing(buffer)
  local mode = api.nvim_get_mode().mode
  if buffer ~= api.nvim_get_current_buf() or not mode:match("^[iRcr]") then return false end
  return not (mode == "i" or mode == "R") or not documents.is_pause(buffer)
end

local function changed(buffer, name)
  if stamps.is_unchanged(buffer) then return end
  if vim.bo[buffer].modified then
    return messages.warn(name .. " was changed on disk; your text stays: :write! saves it over that, :edit! reads the file")
  end
  -- Not between two keys.
  if is_typing(buffer) then
    vim.defer_fn(function()
      if api.nvim_buf_is_loaded(buffer) then changed(buffer, name) end
    end, 300)
    return
  end
  reload(buffer)
end

-- Another buffer of that name; nil.
local function other(path, buffer)
  for _, each in ipairs(api.nvim_list_bufs()) do
    if each ~= buffer and api.nvim_buf_get_name(each) == path then return each end
  end
end

-- Names the buffer, as `:keepalt file` does. A name is data: no command line ever holds one.
local pending = nil
function files.rename_pending() api.nvim_buf_set_name(pending.buffer, pending.path) end

local function rename(buffer, path)
  pending = { buffer = buffer, path = path }
  local isDone, failure = pcall(vim.cmd, 'silent keepalt lua require("continuo.files").rename_pending()')
  pending = nil
  return isDone, failure
end

local function moved(buffer, name, new)
  local path = names.path(new)
  if not path then return end
  -- What still lies where it was did not move: what moved was another folder's copy of it.
  if stamps.is_unchanged(buffer) and not stamps.is_same_file(buffer, path) then return end
  local taken = other(path, buffer)
  if taken and api.nvim_buf_is_loaded(taken) then
    return messages.warn(name .. " was moved to " .. names.shown(path) .. ", which is open in another buffer; this one stays as it is")
  end
  local old = api.nvim_buf_get_name(buffer)
  local isDone, failure = rename(buffer, path)
  if not isDone then return messages.warn(name .. " was moved to " .. names.shown(path) .. ": " .. tostring(failure)) end
  saving.note_rename(buffer)
  -- Neovim keeps the old name as a buffer of its own.
  local rest = other(old, buffer)
  if rest and not api.nvim_buf_is_loaded(rest) then pcall(api.nvim_buf_delete, rest, { force = true }) end
  if not vim.bo[buffer].modified and not is_typing(buffer) then reload(buffer) end
  -- Until it is saved once, Neovim takes the file for one that it does not know.
  messages.tell(name .. " was moved: it is " .. names.shown(path) .. " now; the first :write may want a !")
end

-- `document/changedOnDisk`.
function files.changed_on_disk(params)
  local buffer = documents.buffer(params.uri)
  if not buffer then return end
  local name = names.short(names.path(params.uri))
  if params.change == "changed" then
    changed(buffer, name)
  elseif params.change == "moved" then
    moved(buffer, name, params.newUri)
  elseif params.change == "deleted" then
    messages.warn(name .. " was deleted; the text stays here, and :write makes the file again")
  elseif params.change == "conflict" and params.copies and #params.copies > 0 then
    local copies = vim.tbl_map(function(uri) return names.short(names.path(uri)) end, params.copies)
    messages.warn(name .. " is in conflict with " .. table.concat(copies, ", ") .. ": :ContinuoResolve compares them, and keeps one")
  end
end

-- MARK: Restoring

local function is_plain(window)
  return api.nvim_win_get_config(window).relative == "" and not vim.wo[window].previewwindow
    and vim.bo[api.nvim_win_get_buf(window)].buftype == ""
end

-- The current window if it may show a file, else another of this tab page, else a new one.
local function choose_window()
  if is_plain(0) then return end
  for _, window in ipairs(api.nvim_tabpage_list_wins(0)) do
    if is_plain(window) then return api.nvim_set_current_win(window) end
  end
  vim.cmd("topleft split")
end

-- The buffer by the name of `path`, byte for byte; it need not be read yet.
local function add(path)
  local buffer = vim.fn.bufadd(path)
  vim.bo[buffer].buflisted = true
  return buffer
end

-- Puts `buffer` in front of the person; as `without_questions`.
function files.bring(buffer)
  return without_questions(function()
    choose_window()
    local isStuck = vim.bo.modified and not vim.o.hidden and vim.bo.bufhidden ~= "hide"
    -- By its number: a name is data. Told at full length, it might ask for Enter.
    vim.cmd("silent " .. (isStuck and "sbuffer " or "buffer ") .. buffer)
  end)
end

-- Shows the file in front of the person: nil, or why not.
local function show(path, known)
  local window = known and place.window(known)
  if window then
    api.nvim_set_current_win(window)
    return nil
  end
  local buffer = known or add(path)
  local isDone, failure, isForeign = files.bring(buffer)
  -- A swap file that cannot be made, or an autocommand that fails, takes nothing from what was read.
  if not isDone and not stamps.is_unchanged(buffer) then return tostring(failure) end
  if not isDone then messages.warn(names.short(path) .. " is open, but: " .. tostring(failure)) end
  if isForeign then messages.warn(names.short(path) .. " is open in another Vim: it is shown for reading") end
end

-- The person is in the middle of something: nothing is put in front of it.
function files.is_busy() return api.nvim_get_mode().mode ~= "n" or vim.fn.getcmdwintype() ~= "" end

-- A buffer of that name which was never read from the file, as one that was there before it: reads it now. Nil, or
-- why that cannot be.
local function read_late(path)
  for _, buffer in ipairs(api.nvim_list_bufs()) do
    if api.nvim_buf_is_loaded(buffer) and api.nvim_buf_get_name(buffer) == path then
      if vim.bo[buffer].modified then return "it has unsaved changes here" end
      if not reload(buffer) then return "it cannot be read" end
    end
  end
end

local function load(path)
  local buffer = add(path)
  local isDone, failure = without_questions(function() place.aside(vim.fn.bufload, buffer) end)
  if not isDone and not stamps.is_unchanged(buffer) then return nil, tostring(failure) end
  return buffer
end

local function line_of(given) return given and " (line " .. given.position.line + 1 .. ")" or "" end

-- Where `:ContinuoJump` goes; nowhere without a place.
function files.aim(buffer, given) target = given and { buffer = buffer, place = given } end

-- `document/restore`; `moment`: when the person asked to continue, by `vim.loop.hrtime`; `is_beside`: it came along
-- with the document that they asked for, and takes the front from nothing.
function files.restore(params, moment, is_beside)
  local path = names.path(params.uri)
  if not path then return { opened = false, message = "no file" } end
  local name, device = names.short(path), params.offer and params.offer.device or "the other device"
  local buffer = documents.buffer(params.uri)
  local isKept = buffer ~= nil and documents.is_used(buffer, moment)
  if buffer and not stamps.is_unchanged(buffer) then
    if vim.bo[buffer].modified then
      local sentence = name .. " has unsaved changes here, and the file is newer: save it under another name, or give "
        .. "them up with :edit!, and continue again"
      messages.warn(sentence)
      return { opened = false, message = sentence }
    end
    if not reload(buffer) then return { opened = false, message = name .. " cannot be read" } end
  end
  local isBehind = (is_beside or files.is_busy()) and buffer ~= api.nvim_get_current_buf()
  local obstacle = not buffer and read_late(path) or nil
  if obstacle then
    return { opened = false, message = name .. " could not be opened: " .. obstacle }
  end
  if isBehind then
    if not buffer then buffer, obstacle = load(path) end
  else
    obstacle = show(path, buffer)
    buffer = documents.buffer(params.uri)
  end
  if obstacle or not buffer then
    return { opened = false, message = name .. " could not be opened: " .. (obstacle or "it is no document") }
  end
  -- What was opened for reading alone is written again once the version meant is there.
  if params.readOnly and not vim.bo[buffer].readonly then
    vim.bo[buffer].readonly, vim.b[buffer].continuo_read_only = true, true
  elseif not params.readOnly and vim.b[buffer].continuo_read_only then
    vim.bo[buffer].readonly, vim.b[buffer].continuo_read_only = false, nil
  end
  if not vim.bo[buffer].modified then documents.adopt(buffer) end
  if is_beside then return { opened = true } end
  files.aim(buffer, params.place)
  if isKept or isBehind then
    messages.tell((isKept and name .. ": your cursor stays; " or name .. " is open in the background; ")
      .. ":ContinuoJump goes where " .. device .. " was" .. line_of(params.place))
  elseif params.place then
    files.jump()
    documents.note_version(buffer)
    if params.certainty == "unsure" then messages.tell(name .. ": the place is gone; this is the nearest line") end
  end
  return { opened = true }
end

-- Goes where the other device was.
function files.jump()
  if not target or not api.nvim_buf_is_loaded(target.buffer) then
    return messages.tell("no other device's place is known; :ContinuoResume continues what one offers")
  end
  local window = place.window(target.buffer)
  if window then
    api.nvim_set_current_win(window)
  else
    choose_window()
    local isDone, failure = pcall(api.nvim_set_current_buf, target.buffer)
    if not isDone then return messages.warn(tostring(failure)) end
    window = api.nvim_get_current_win()
  end
  place.go(target.buffer, window, target.place)
  documents.settle(target.buffer)
  documents.touch(target.buffer)
end

return files
