-- SPDX-License-Identifier: MIT
-- Buffers with the name of a file that is not there yet: what they hold is offered once it was written.

local connection = require("continuo.connection")
local documents = require("continuo.documents")
local messages = require("continuo.messages")
local names = require("continuo.names")
local stamps = require("continuo.stamps")

local fresh = {}

local api, uv = vim.api, vim.loop
-- By buffer: the folder in which it will be offered; false where that is not known.
local folders = {}

local function is_fresh(buffer)
  return api.nvim_buf_is_loaded(buffer) and not documents.is_open(buffer) and vim.bo[buffer].buftype == ""
    and api.nvim_buf_get_name(buffer):sub(1, 1) == "/" and not stamps.is_there(buffer)
end

-- Whether a folder above holds what Continuo keeps in folders of its own. Else nobody need be asked.
local function may_be_synced(path)
  local folder = path
  repeat
    folder = folder:match("^(.*)/[^/]*$")
    if folder and uv.fs_stat(folder .. "/.continuo") then return true end
  until not folder or folder == ""
  return false
end

-- The server is asked how the file will stand, and the person told once.
local function ask(buffer)
  local path = api.nvim_buf_get_name(buffer)
  local uri = names.uri(path)
  connection.request("document/open", { uri = uri, edited = false }, function(_, result)
    -- It was written meanwhile, and is a document by that.
    if documents.is_open(buffer) then return end
    connection.request("document/close", { uri = uri })
    if folders[buffer] or not result or not result.synced or not is_fresh(buffer) then return end
    folders[buffer] = result.folder or "a synced folder"
    messages.tell("new in " .. folders[buffer] .. ": offered after the first :write – " .. names.short(path))
  end)
end

-- `BufNewFile`. Nothing is said of files in other folders.
function fresh.begin(buffer)
  folders[buffer] = nil
  if not is_fresh(buffer) or not may_be_synced(api.nvim_buf_get_name(buffer)) then return end
  folders[buffer] = false
  connection.start()
  if connection.is_ready() then ask(buffer) end
end

-- A server that was just started.
function fresh.say_all()
  for buffer, folder in pairs(folders) do
    if not folder and is_fresh(buffer) then ask(buffer) end
  end
end

-- A line for `:ContinuoStatus`, if the buffer is such a one; else nil.
function fresh.line(buffer)
  if not is_fresh(buffer) then return nil end
  local name, folder = names.shown(api.nvim_buf_get_name(buffer)), folders[buffer]
  if folder then return name .. ": new in " .. folder .. "; offered after the first :write" end
  return name .. ": new; offered after the first :write, if its folder is synced"
end

return fresh
