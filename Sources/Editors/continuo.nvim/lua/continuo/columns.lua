-- SPDX-License-Identifier: MIT
-- Columns: bytes as Neovim counts them, Unicode scalars as they travel. A byte that belongs to no well-formed
-- UTF-8 counts one. (Neovim's own functions have another signature in each of its versions.)

local columns = {}

-- Which second bytes may follow a first one, where not all continuation bytes may.
local second = { [0xE0] = { 0xA0, 0xBF }, [0xED] = { 0x80, 0x9F }, [0xF0] = { 0x90, 0xBF }, [0xF4] = { 0x80, 0x8F } }

-- The number of bytes of the scalar that begins at `index`, from 1.
function columns.length(line, index)
  local lead = line:byte(index)
  if lead < 0xC2 or lead > 0xF4 then return 1 end
  local count = lead < 0xE0 and 2 or lead < 0xF0 and 3 or 4
  local range = second[lead] or { 0x80, 0xBF }
  for offset = 1, count - 1 do
    local byte = line:byte(index + offset)
    local low, high = 0x80, 0xBF
    if offset == 1 then low, high = range[1], range[2] end
    if not byte or byte < low or byte > high then return 1 end
  end
  return count
end

-- How many scalars begin in the first `bytes` bytes of `line`.
function columns.scalars(line, bytes)
  local count, index = 0, 1
  local limit = math.min(bytes, #line)
  while index <= limit do
    count = count + 1
    index = index + columns.length(line, index)
  end
  return count
end

-- How many bytes the first `scalars` scalars of `line` have; all of them if there are fewer.
function columns.bytes(line, scalars)
  local index = 1
  while index <= #line and scalars > 0 do
    scalars = scalars - 1
    index = index + columns.length(line, index)
  end
  return index - 1
end

return columns
