" SPDX-License-Identifier: MIT
" One line at the screen's lower right edge. It takes no focus, and keys only in Normal mode, only those that the
" person has not mapped, and only while it is there.
vim9script

import autoload 'continuo/messages.vim'
import autoload 'continuo/shown.vim'

# What is shown; empty for nothing.
export var text = ''
var window = 0
# What each key was given.
var mapped: dict<string> = {}

def Unmap()
  for [key, action] in items(mapped)
    # The person may have mapped the key meanwhile.
    if maparg(key, 'n') ==# action
      execute 'nunmap ' .. key
    endif
  endfor
  mapped = {}
enddef

# `keys`: what each one does, as a command of the plugin's.
def Map(keys: dict<string>)
  if keys == mapped
    return
  endif
  Unmap()
  for [key, action] in items(keys)
    if key !=# '' && key !~ '[|[:space:][:cntrl:]]' && mapcheck(key, 'n') ==# ''
      execute 'nnoremap <silent> <nowait> ' .. key .. ' ' .. action
      mapped[key] = action
    endif
  endfor
enddef

def Close()
  if window > 0
    popup_close(window)
    window = 0
  endif
enddef

def Draw()
  if !has('popupwin')
    messages.Once(text)
    return
  endif
  var line = ' ' .. text .. ' '
  var shape = {
    line: max([1, &lines - &cmdheight - (&laststatus > 0 ? 1 : 0)]), col: &columns, pos: 'botright',
    maxwidth: &columns, maxheight: 1,
  }
  if window > 0 && !empty(popup_getpos(window))
    popup_settext(window, line)
    popup_move(window, shape)
    return
  endif
  window = popup_create(line, extend(shape, {wrap: false, zindex: 40, tabpage: -1, highlight: 'Pmenu'}))
enddef

# Shows `given`; `keys` are what it offers. As good as possible: where no window can be opened, none is.
export def Show(given: string, keys: dict<string>)
  text = shown.Text(given)
  Map(keys)
  try
    Draw()
  catch
    window = 0
  endtry
enddef

export def Hide()
  text = ''
  Unmap()
  try
    Close()
  catch
  endtry
enddef

# Another size.
export def Redraw()
  if text !=# ''
    Close()
    Show(text, mapped)
  endif
enddef
