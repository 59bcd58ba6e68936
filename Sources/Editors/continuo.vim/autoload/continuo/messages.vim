" SPDX-License-Identifier: MIT
" What the person is told: one line that never asks for a key, and the last ones in full for `:ContinuoStatus`.
vim9script

import autoload 'continuo/clock.vim'
import autoload 'continuo/shown.vim'

const KEPT = 50
const SECONDS = 8

export var log: list<string> = []
var waiting: list<list<string>> = []
var window = 0

# The line above the prompt, while the person types: the last line of the screen is Vim's own then.
def Note(line: string, group: string)
  if !has('popupwin')
    return
  endif
  if window > 0
    popup_close(window)
  endif
  window = popup_create(' ' .. line .. ' ', {
    line: max([1, &lines - &cmdheight - (&laststatus > 0 ? 1 : 0) - 1]), col: &columns, pos: 'botright',
    maxwidth: &columns, wrap: false, time: SECONDS * 1000, zindex: 41, tabpage: -1, highlight: group,
  })
enddef

def Show()
  for [line, group] in remove(waiting, 0, -1)
    if mode(1) ==# 'n' && getcmdwintype() ==# ''
      # A second message on the same screen would wait for Enter.
      redraw
      execute 'echohl ' .. (group ==# 'WarningMsg' ? 'WarningMsg' : 'None')
      echomsg line
      echohl None
    else
      Note(line, group)
    endif
  endfor
enddef

def ShowSoon(_: number)
  try
    if !empty(waiting)
      Show()
    endif
  catch
    add(log, 'could not be shown: ' .. shown.Text(v:exception))
  endtry
enddef

def Put(given: any, group: string)
  var text = shown.Text(given)
  add(log, strftime('%H:%M:%S ') .. text)
  if len(log) > KEPT
    remove(log, 0)
  endif
  var line = 'continuo: ' .. substitute(text, '\s\+', ' ', 'g')
  # A longer line would wait for Enter, and take the next key for it.
  var room = max([20, &columns - 14])
  if strdisplaywidth(line) > room
    line = strcharpart(line, 0, room - 2)
    while strdisplaywidth(line) > room - 2
      line = strcharpart(line, 0, strchars(line, true) - 1)
    endwhile
    line ..= ' ' .. shown.Dots()
  endif
  add(waiting, [line, group])
  timer_start(0, ShowSoon)
enddef

export def Tell(text: any)
  Put(text, 'Pmenu')
enddef

export def Warn(text: any)
  Put(text, 'WarningMsg')
enddef

# The same sentence is told once, until `Again` is called.
var told: dict<bool> = {}

export def Once(text: string)
  if !has_key(told, text)
    told[text] = true
    Warn(text)
  endif
enddef

export def Again()
  told = {}
enddef
