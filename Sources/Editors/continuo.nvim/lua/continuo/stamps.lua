-- SPDX-License-Identifier: MIT
-- Which file each buffer holds: what stat(2) said when it was read or written.

local stamps = {}

local uv = vim.loop
local known = {}

local function stamp(path)
  local found = uv.fs_stat(path)
  if not found or found.type ~= "file" then return nil end
  return { found.ino, found.dev, found.size, found.mtime.sec, found.mtime.nsec }
end

-- The buffer was just read or written.
function stamps.note(buffer) known[buffer] = stamp(vim.api.nvim_buf_get_name(buffer)) end

-- Its name is no longer the file that it was read from.
function stamps.forget(buffer) known[buffer] = nil end

-- Whether the file by the buffer's name is the one that it was read from, unchanged. A rename leaves it so.
function stamps.is_unchanged(buffer)
  local mine = known[buffer]
  return mine ~= nil and vim.deep_equal(mine, stamp(vim.api.nvim_buf_get_name(buffer)))
end

-- Whether the buffer's lines are those of its file. False for what would take long to compare.
function stamps.holds_file(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  local found = uv.fs_stat(path)
  if not found or found.size > 10 * 1024 * 1024 then return false end
  local isRead, lines = pcall(vim.fn.readfile, path)
  if not isRead then return false end
  for index, line in ipairs(lines) do lines[index] = line:gsub("\r$", "") end
  if lines[1] then lines[1] = lines[1]:gsub("^\239\187\191", "") end
  if #lines == 0 then lines = { "" } end
  return vim.deep_equal(lines, vim.api.nvim_buf_get_lines(buffer, 0, -1, false))
end

-- Whether `path` is another name of the buffer's file, as where upper and lower case are one.
function stamps.is_same_file(buffer, path)
  local mine, other = uv.fs_stat(vim.api.nvim_buf_get_name(buffer)), uv.fs_stat(path)
  return mine ~= nil and other ~= nil and mine.ino == other.ino and mine.dev == other.dev
end

function stamps.is_there(buffer) return stamp(vim.api.nvim_buf_get_name(buffer)) ~= nil end

return stamps
