-- SPDX-License-Identifier: MIT
-- What is shown of names, titles and sentences from elsewhere: one line of well-formed text. Nothing in it directs a
-- terminal, turns the order of the characters around, or is there without being seen.

local columns = require("continuo.columns")

local shown = {}

-- Longer than any title that travels; a name with a thousand accents fills no screen.
local limit = 4096
local unknown = "\239\191\189"

-- Scalars that are seen by nobody or that move others, as first and last. A joiner is left out also where it joins:
-- Neovim shows it as <200c>.
local hidden = {
  { 0xAD, 0xAD }, { 0x61C, 0x61C }, { 0x180E, 0x180E }, { 0x200B, 0x200F }, { 0x202A, 0x202E }, { 0x2060, 0x206F },
  { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB }, { 0xE0000, 0xE0FFF },
}

-- The scalar of well-formed bytes.
local function value(bytes)
  local lead = bytes:byte(1)
  local found = #bytes == 1 and lead or lead % 2 ^ (7 - #bytes)
  for index = 2, #bytes do found = found * 64 + bytes:byte(index) % 64 end
  return found
end

local function is_hidden(scalar)
  for _, range in ipairs(hidden) do
    if scalar >= range[1] and scalar <= range[2] then return true end
  end
  return false
end

-- What stands for one scalar, or for a byte of none.
local function stand_in(bytes)
  local scalar = value(bytes)
  if #bytes == 1 and scalar > 0x7F then return unknown end
  if scalar >= 9 and scalar <= 13 or scalar == 0x85 or scalar == 0x2028 or scalar == 0x2029 then return " " end
  if scalar < 0x20 or scalar >= 0x7F and scalar < 0xA0 then return unknown end
  return is_hidden(scalar) and "" or bytes
end

-- `text` for people. Doing it twice changes nothing more.
function shown.text(text)
  text = tostring(text)
  if not text:find("[^ -~]") and #text <= limit then return text end
  local parts, index, size = {}, 1, 0
  while index <= #text do
    local length = columns.length(text, index)
    local part = stand_in(text:sub(index, index + length - 1))
    size = size + #part
    if size > limit then break end
    table.insert(parts, part)
    index = index + length
  end
  return table.concat(parts)
end

-- Members of the server's messages that are shown; the others are names of things.
local members = { title = true, device = true, reason = true, message = true, remark = true, folder = true, type = true }

-- The same message, with all that is shown of it as it may be shown.
function shown.message(message)
  if type(message) ~= "table" then return message end
  local found = {}
  for key, member in pairs(message) do
    local isText = type(member) == "string" and members[key]
    found[key] = isText and shown.text(member) or shown.message(member)
  end
  return setmetatable(found, getmetatable(message))
end

return shown
