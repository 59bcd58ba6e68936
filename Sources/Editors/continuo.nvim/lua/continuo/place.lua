-- SPDX-License-Identifier: MIT
-- Where the person is in a buffer, as it travels, and going there.

local columns = require("continuo.columns")

-- `is_aside`: what counts as the current buffer is only read, and the person is elsewhere.
local place = { is_aside = false }

local api = vim.api

-- Calls `body`, which reads a file: Neovim enters the buffer for that.
function place.aside(body, ...)
  place.is_aside = true
  local isDone, failure = pcall(body, ...)
  place.is_aside = false
  if not isDone then error(failure, 0) end
end

-- A window that shows `buffer`: the current one, one of this tab page, any other; nil.
function place.window(buffer)
  if api.nvim_get_current_buf() == buffer then return api.nvim_get_current_win() end
  local here = vim.fn.bufwinid(buffer)
  if here > 0 then return here end
  return vim.fn.win_findbuf(buffer)[1]
end

local function line(buffer, number) return api.nvim_buf_get_lines(buffer, number - 1, number, false)[1] or "" end

local function position(buffer, number, bytes)
  return { line = number - 1, character = columns.scalars(line(buffer, number), bytes) }
end

-- Behind the character at `bytes`.
local function behind(buffer, number, bytes)
  local found = position(buffer, number, bytes)
  local length = columns.scalars(line(buffer, number), math.huge)
  return { line = found.line, character = math.min(found.character + 1, length) }
end

local function is_before(number, bytes, otherNumber, otherBytes)
  return number < otherNumber or number == otherNumber and bytes < otherBytes
end

-- Cursor and other end in Visual mode; a block is no range of text.
local function selected(buffer, isLinewise)
  local cursor = api.nvim_win_get_cursor(0)
  local other = vim.fn.getpos("v")
  local otherLine, otherBytes = other[2], other[3] - 1
  local isForward = is_before(otherLine, otherBytes, cursor[1], cursor[2])
  if isLinewise then
    local ends = { position(buffer, math.min(otherLine, cursor[1]), 0) }
    ends[2] = position(buffer, math.max(otherLine, cursor[1]), math.huge)
    if otherLine > cursor[1] then return ends[1], ends[2] end
    return ends[2], ends[1]
  end
  local isInclusive = vim.o.selection ~= "exclusive"
  local last = isInclusive and behind or position
  if isForward then return last(buffer, cursor[1], cursor[2]), position(buffer, otherLine, otherBytes) end
  return position(buffer, cursor[1], cursor[2]), last(buffer, otherLine, otherBytes)
end

-- What is to be told of `buffer`; nil where lines are no lines for others.
function place.of(buffer)
  if vim.bo[buffer].fileformat == "mac" then return nil end
  local window = place.window(buffer)
  if not window then
    local mark = api.nvim_buf_get_mark(buffer, '"')
    return { position = position(buffer, math.max(mark[1], 1), mark[2]) }
  end
  local found = { topLine = vim.fn.line("w0", window) - 1 }
  local mode = api.nvim_get_mode().mode
  if window == api.nvim_get_current_win() and (mode == "v" or mode == "V" or mode == "s" or mode == "S") then
    found.position, found.selection = selected(buffer, mode == "V" or mode == "S")
  else
    local cursor = api.nvim_win_get_cursor(window)
    found.position = position(buffer, cursor[1], cursor[2])
  end
  return found
end

-- The nearest line, from 1, and byte that exist.
local function nearest(buffer, given)
  local last = api.nvim_buf_line_count(buffer)
  local number = math.min(math.max(given.line, 0), last - 1) + 1
  if given.line >= last then return last, #line(buffer, last) end
  return number, columns.bytes(line(buffer, number), math.max(given.character, 0))
end

local function before(buffer, number, bytes)
  if bytes == 0 then return number, 0 end
  local text = line(buffer, number)
  return number, columns.bytes(text, columns.scalars(text, bytes) - 1)
end

local function select(buffer, window, given)
  local number, bytes = nearest(buffer, given.position)
  local otherNumber, otherBytes = nearest(buffer, given.selection)
  if number == otherNumber and bytes == otherBytes then return end
  if vim.o.selection ~= "exclusive" then
    if is_before(number, bytes, otherNumber, otherBytes) then
      otherNumber, otherBytes = before(buffer, otherNumber, otherBytes)
    else
      number, bytes = before(buffer, number, bytes)
    end
  end
  api.nvim_win_set_cursor(window, { otherNumber, otherBytes })
  vim.cmd("normal! v")
  api.nvim_win_set_cursor(window, { number, bytes })
end

-- Goes there in `window`, which shows `buffer`; selects only in the current window, and from Normal mode.
function place.go(buffer, window, given)
  local number, bytes = nearest(buffer, given.position)
  api.nvim_win_call(window, function()
    vim.cmd("normal! m'")
    api.nvim_win_set_cursor(window, { number, bytes })
    local top = given.topLine and math.min(math.max(given.topLine, 0) + 1, api.nvim_buf_line_count(buffer))
    if top and top <= number and number < top + api.nvim_win_get_height(window) then
      vim.fn.winrestview({ topline = top })
    else
      vim.cmd("normal! zz")
    end
    vim.cmd("silent! normal! zv")
  end)
  if given.selection and window == api.nvim_get_current_win() and api.nvim_get_mode().mode == "n" then
    select(buffer, window, given)
  end
end

return place
