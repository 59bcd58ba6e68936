" SPDX-License-Identifier: MIT
" Where the person is in a buffer, as it travels, and going there.
vim9script

import autoload 'continuo/columns.vim'

const FAR = 0x7FFFFFFF

# A window that shows `buffer`: the current one, one of this tab page, any other; 0.
export def Window(buffer: number): number
  if bufnr() == buffer
    return win_getid()
  endif
  var here = bufwinid(buffer)
  return here > 0 ? here : get(win_findbuf(buffer), 0, 0)
enddef

def Line(buffer: number, number: number): string
  return get(getbufline(buffer, number), 0, '')
enddef

def LastLine(buffer: number): number
  return max([1, getbufinfo(buffer)[0].linecount])
enddef

def Position(buffer: number, number: number, bytes: number): dict<number>
  return {line: number - 1, character: columns.Scalars(Line(buffer, number), bytes)}
enddef

# Behind the character at `bytes`.
def Behind(buffer: number, number: number, bytes: number): dict<number>
  var found = Position(buffer, number, bytes)
  var length = columns.Scalars(Line(buffer, number), FAR)
  return {line: found.line, character: min([found.character + 1, length])}
enddef

def IsBefore(left: list<number>, right: list<number>): bool
  return left[0] < right[0] || left[0] == right[0] && left[1] < right[1]
enddef

# Line and byte, from 1 and 0, of a position of Vim's.
def Spot(given: list<number>): list<number>
  return [given[1], given[2] - 1]
enddef

# Cursor and other end in Visual mode; a block is no range of text.
def Selected(buffer: number, isLinewise: bool): list<dict<number>>
  var cursor = Spot(getcurpos())
  var other = Spot(getpos('v'))
  if isLinewise
    var first = Position(buffer, min([other[0], cursor[0]]), 0)
    var last = Position(buffer, max([other[0], cursor[0]]), FAR)
    return other[0] > cursor[0] ? [first, last] : [last, first]
  endif
  var End = &selection !=# 'exclusive' ? Behind : Position
  if IsBefore(other, cursor)
    return [End(buffer, cursor[0], cursor[1]), Position(buffer, other[0], other[1])]
  endif
  return [Position(buffer, cursor[0], cursor[1]), End(buffer, other[0], other[1])]
enddef

# Where the cursor was when a window last showed the buffer.
def Left(buffer: number): list<number>
  for mark in getmarklist(buffer)
    if mark.mark ==# "'\""
      return [max([mark.pos[1], 1]), max([mark.pos[2] - 1, 0])]
    endif
  endfor
  return [1, 0]
enddef

# What is to be told of `buffer`; empty where lines are no lines for others.
export def Of(buffer: number): dict<any>
  if getbufvar(buffer, '&fileformat') ==# 'mac'
    return {}
  endif
  var window = Window(buffer)
  if window == 0
    var spot = Left(buffer)
    return {position: Position(buffer, spot[0], spot[1])}
  endif
  var found: dict<any> = {topLine: line('w0', window) - 1}
  if window == win_getid() && mode() =~# '^[vVsS]$'
    [found.position, found.selection] = Selected(buffer, mode() ==? 'v' ? mode() ==# 'V' : mode() ==# 'S')
  else
    var cursor = Spot(getcurpos(window))
    found.position = Position(buffer, cursor[0], cursor[1])
  endif
  return found
enddef

# The nearest line, from 1, and byte that exist.
def Nearest(buffer: number, given: dict<any>): list<number>
  var last = LastLine(buffer)
  if given.line >= last
    return [last, len(Line(buffer, last))]
  endif
  var number = max([given.line, 0]) + 1
  return [number, columns.Bytes(Line(buffer, number), max([given.character, 0]))]
enddef

def Before(buffer: number, spot: list<number>): list<number>
  if spot[1] == 0
    return spot
  endif
  var text = Line(buffer, spot[0])
  return [spot[0], columns.Bytes(text, columns.Scalars(text, spot[1]) - 1)]
enddef

def Select(buffer: number, given: dict<any>)
  var spot = Nearest(buffer, given.position)
  var other = Nearest(buffer, given.selection)
  if spot == other
    return
  endif
  if &selection !=# 'exclusive'
    if IsBefore(spot, other)
      other = Before(buffer, other)
    else
      spot = Before(buffer, spot)
    endif
  endif
  cursor(other[0], other[1] + 1)
  normal! v
  cursor(spot[0], spot[1] + 1)
enddef

# Goes there in `window`, which shows `buffer`; selects only in the current window, and from Normal mode.
export def Go(buffer: number, window: number, given: dict<any>)
  var [number, bytes] = Nearest(buffer, given.position)
  win_execute(window, "normal! m'")
  win_execute(window, printf('call cursor(%d, %d)', number, bytes + 1))
  var top = has_key(given, 'topLine') ? min([max([given.topLine, 0]) + 1, LastLine(buffer)]) : 0
  if top > 0 && top <= number && number < top + winheight(window)
    win_execute(window, printf("call winrestview({'topline': %d})", top))
  else
    win_execute(window, 'normal! zz')
  endif
  win_execute(window, 'silent! normal! zv')
  if has_key(given, 'selection') && window == win_getid() && mode(1) ==# 'n'
    Select(buffer, given)
  endif
enddef
