-- SPDX-License-Identifier: MIT
-- A document and the conflict copies that sync engines left beside it: comparing them, and keeping one.

local connection = require("continuo.connection")
local documents = require("continuo.documents")
local files = require("continuo.files")
local messages = require("continuo.messages")
local names = require("continuo.names")
local shown = require("continuo.shown")

local versions = {}

local api = vim.api

-- One version in a list.
local function label(version)
  local parts = { version.document and "the document here" or names.short(names.path(version.uri)) }
  if version.device then table.insert(parts, "of device " .. version.device) end
  if version.putAside then table.insert(parts, "put aside " .. version.putAside) end
  table.insert(parts, os.date("changed %Y-%m-%d %H:%M", math.floor(version.changedAt / 1000)))
  table.insert(parts, version.size .. " bytes")
  if not version.readable then table.insert(parts, "cannot be read") end
  return shown.text(table.concat(parts, ", "))
end

-- Text that the file does not hold would be lost to the version that is kept, or be kept in its place.
local function is_saved(buffer)
  if not vim.bo[buffer].modified then return true end
  messages.warn(names.short(api.nvim_buf_get_name(buffer)) .. " has unsaved changes: :write them first")
  return false
end

local function keep(buffer, document, version)
  if not api.nvim_buf_is_loaded(buffer) or not is_saved(buffer) then return end
  -- A copy that is open here may hold text that was not saved, either.
  local path = names.path(version.uri)
  for _, each in ipairs(api.nvim_list_bufs()) do
    local isCopy = api.nvim_buf_is_loaded(each) and api.nvim_buf_get_name(each) == path
    if isCopy and not is_saved(each) then return end
  end
  connection.request("document/resolve", { uri = document, keep = version.uri }, function(failure, result)
    if failure then return messages.warn(failure.message) end
    for _, each in ipairs(result.aside or {}) do
      if each.reason then
        messages.warn(each.reason)
      else
        messages.tell(names.short(names.path(each.from)) .. " is in " .. names.shown(names.path(each.uri)) .. " now")
      end
    end
    files.changed_on_disk({ uri = document, change = "changed" })
  end)
end

-- Both in a tab page of their own, as `:diffsplit` shows them. By number: a name is data.
local function compare(buffer, version)
  local copy = vim.fn.bufadd(names.path(version.uri))
  vim.bo[copy].buflisted = true
  local isDone, failure = files.without_questions(function()
    vim.cmd("tab sbuffer " .. buffer)
    vim.cmd("diffthis")
    vim.cmd("vertical rightbelow sbuffer " .. copy)
    vim.cmd("diffthis")
  end)
  if not isDone then return messages.warn(tostring(failure)) end
  -- The list that was chosen from is gone; else the message would wait for Enter beneath it.
  vim.cmd("redraw")
  messages.tell("merge and :write in either; then :ContinuoResolve keeps it")
end

local function actions(list)
  local found = {}
  for _, version in ipairs(list) do
    if not version.document then table.insert(found, { "compare", version, "Compare with " .. label(version) }) end
  end
  for _, version in ipairs(list) do
    if version.readable then table.insert(found, { "keep", version, "Keep " .. label(version) }) end
  end
  return found
end

-- Asks what to do about the file of the current buffer.
function versions.resolve()
  local buffer = api.nvim_get_current_buf()
  local uri = documents.uri(buffer)
  if not uri then return messages.tell("this buffer has no file in which versions can be in conflict") end
  local isSent = connection.request("document/versions", { uri = uri }, function(failure, result)
    if failure then return messages.warn(failure.message) end
    local list = result.versions or {}
    local name = names.short(api.nvim_buf_get_name(buffer))
    if #list == 0 then
      return messages.tell("no conflict copy lies beside " .. name .. ": there is nothing to resolve")
    end
    vim.schedule(function()
      vim.ui.select(actions(list), {
        prompt = name .. " has " .. #list .. " versions", format_item = function(each) return each[3] end,
      }, function(action)
        if not action then return end
        if action[1] == "compare" then return compare(buffer, action[2]) end
        keep(buffer, uri, action[2])
      end)
    end)
  end)
  if not isSent then messages.tell("the server is not running: :ContinuoStart starts it") end
end

return versions
