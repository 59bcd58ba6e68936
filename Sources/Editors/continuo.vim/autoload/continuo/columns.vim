" SPDX-License-Identifier: MIT
" Columns: bytes as Vim counts them, Unicode scalars as they travel. A byte that belongs to no well-formed UTF-8
" counts one.
vim9script

# Which second bytes may follow a first one, where not all continuation bytes may.
const SECOND = {224: [0xA0, 0xBF], 237: [0x80, 0x9F], 240: [0x90, 0xBF], 244: [0x80, 0x8F]}

def Byte(text: string, index: number): number
  return char2nr(strpart(text, index, 1))
enddef

# The number of bytes of the scalar that begins at `index`, from 0.
export def Length(text: string, index: number): number
  var lead = Byte(text, index)
  if lead < 0xC2 || lead > 0xF4
    return 1
  endif
  var count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  var range: list<number> = get(SECOND, lead, [0x80, 0xBF])
  for offset in range(1, count - 1)
    var byte = Byte(text, index + offset)
    if byte < (offset == 1 ? range[0] : 0x80) || byte > (offset == 1 ? range[1] : 0xBF)
      return 1
    endif
  endfor
  return count
enddef

# How many scalars begin in the first `bytes` bytes of `line`.
export def Scalars(line: string, bytes: number): number
  var head = strpart(line, 0, bytes)
  if &encoding !=# 'utf-8'
    return strchars(head)
  endif
  # A combining mark is part of a character for patterns, but counts here.
  if strchars(head) == len(head)
    return len(head)
  endif
  var count = 0
  var index = 0
  var limit = len(head)
  while index < limit
    count += 1
    index += Length(line, index)
  endwhile
  return count
enddef

# How many bytes the first `scalars` scalars of `line` have; all of them if there are fewer.
export def Bytes(line: string, scalars: number): number
  if &encoding !=# 'utf-8'
    var found = byteidxcomp(line, scalars)
    return found < 0 ? len(line) : found
  endif
  if strchars(line) == len(line)
    return min([scalars, len(line)])
  endif
  var left = scalars
  var index = 0
  var limit = len(line)
  while index < limit && left > 0
    left -= 1
    index += Length(line, index)
  endwhile
  return index
enddef
