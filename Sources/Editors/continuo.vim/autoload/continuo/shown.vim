" SPDX-License-Identifier: MIT
" What is shown of names, titles and sentences from elsewhere: one line of well-formed text. Nothing in it directs a
" terminal, turns the order of the characters around, or is there without being seen.
vim9script

import autoload 'continuo/columns.vim'

# Longer than any title that travels; a name with a thousand accents fills no screen.
const LIMIT = 4096

# Scalars that are seen by nobody or that move others, as first and last. A joiner is left out also where it joins:
# Vim shows it as <200c>.
const HIDDEN = [
  [0xAD, 0xAD], [0x61C, 0x61C], [0x180E, 0x180E], [0x200B, 0x200F], [0x202A, 0x202E], [0x2060, 0x206F],
  [0xFEFF, 0xFEFF], [0xFFF9, 0xFFFB], [0xE0000, 0xE0FFF],
]

# What there is of characters that not every 'encoding' has.
def Sign(unicode: string, plain: string): string
  return &encoding ==# 'utf-8' ? unicode : plain
enddef

export def Arrow(): string
  return Sign("\u21c4", '<>')
enddef

export def Dash(): string
  return Sign("\u2013", '-')
enddef

export def Dots(): string
  return Sign("\u2026", '...')
enddef

def IsHidden(scalar: number): bool
  for [first, last] in HIDDEN
    if scalar >= first && scalar <= last
      return true
    endif
  endfor
  return false
enddef

# What stands for one scalar, or for a byte of none.
def StandIn(part: string): string
  var scalar = char2nr(part)
  if scalar >= 9 && scalar <= 13 || scalar == 0x85 || scalar == 0x2028 || scalar == 0x2029
    return ' '
  endif
  if scalar < 0x20 || scalar >= 0x7F && scalar < 0xA0 || &encoding ==# 'utf-8' && len(part) == 1 && scalar > 0x7F
    return Sign("\ufffd", '?')
  endif
  return IsHidden(scalar) ? '' : part
enddef

# `given` for people. Doing it twice changes nothing more.
export def Text(given: any): string
  var text: string = type(given) == v:t_string ? given : string(given)
  if text !~ '[^ -~]' && strchars(text) == len(text) && len(text) <= LIMIT
    return text
  endif
  var parts: list<string> = []
  var index = 0
  var size = 0
  while index < len(text)
    var length = &encoding ==# 'utf-8' ? columns.Length(text, index) : len(matchstr(text, '\_.', index))
    var part = StandIn(strpart(text, index, length))
    size += len(part)
    if size > LIMIT
      break
    endif
    add(parts, part)
    index += length
  endwhile
  return join(parts, '')
enddef

# Members of the server's messages that are shown; the others are names of things.
const MEMBERS = ['title', 'device', 'reason', 'message', 'remark', 'folder', 'type']

# The same message, with all that is shown of it as it may be shown, and without what is null.
export def Message(given: any): any
  if type(given) == v:t_list
    return mapnew(given, (_, each) => Message(each))
  endif
  if type(given) != v:t_dict
    return given
  endif
  var found: dict<any> = {}
  for [key, member] in items(given)
    if type(member) == v:t_none
      continue
    endif
    found[key] = type(member) == v:t_string && index(MEMBERS, key) >= 0 ? Text(member) : Message(member)
  endfor
  return found
enddef
