" SPDX-License-Identifier: MIT
" Buffers and windows by number: a name is data, and no command line ever holds one.
vim9script

import autoload 'continuo/names.vim'

var answer = ''
var isForeign = false

# `SwapExists`, while the plugin opens a file.
export def AnswerSwap()
  v:swapchoice = answer
  isForeign = true
enddef

# Runs `Body` without a question about a swap file (`choice` is the answer): why it failed or an empty text, and
# whether there was a swap file.
export def WithoutQuestions(Body: func, choice = 'o'): list<any>
  answer = choice
  isForeign = false
  var failure = ''
  augroup continuo_swap
    autocmd!
    autocmd SwapExists * call continuo#windows#AnswerSwap()
  augroup END
  try
    Body()
  catch
    failure = v:exception
  finally
    autocmd! continuo_swap
  endtry
  return [failure, isForeign]
enddef

# The buffer by the name of `path`, byte for byte; it need not be read yet.
export def Add(path: string): number
  var buffer = bufadd(path)
  setbufvar(buffer, '&buflisted', 1)
  return buffer
enddef

def IsPlain(window: number): bool
  return win_gettype(window) ==# '' && getbufvar(winbufnr(window), '&buftype') ==# ''
enddef

# The current window if it may show a file, else another of this tab page, else a new one.
export def Choose()
  if IsPlain(win_getid())
    return
  endif
  for window in range(1, winnr('$'))
    if IsPlain(win_getid(window))
      win_gotoid(win_getid(window))
      return
    endif
  endfor
  topleft split
enddef

# Shows the buffer in front of the person, in such a window; a window of its own if the text there would be in the way.
export def Show(buffer: number)
  Choose()
  # What cannot be hidden is neither written nor asked about: it keeps its window.
  var isStuck = &modified && (&bufhidden ==# '' ? !&hidden : &bufhidden !=# 'hide')
  # Told at full length, it might ask for Enter.
  execute 'silent ' .. (isStuck ? 'sbuffer ' : 'buffer ') .. buffer
enddef

# Runs `Body` with `buffer` as the current one, in a window of its own where none shows it, and goes back.
def Within(buffer: number, Body: func)
  var here = win_getid()
  var window = bufnr() == buffer ? here : get(win_findbuf(buffer), 0, 0)
  if window == here
    Body()
    return
  endif
  var ignored = &eventignore
  try
    set eventignore=all
    if window > 0
      win_gotoid(window)
    else
      execute 'keepalt tab sbuffer ' .. buffer
    endif
    &eventignore = ignored
    Body()
  finally
    set eventignore=all
    if window == 0
      tabclose
    endif
    win_gotoid(here)
    &eventignore = ignored
  endtry
enddef

# Names the buffer: why that failed, or an empty text. The command line is the same for every name: Vim takes it from
# a variable of the environment, in which what it would understand has a backslash before it. A blank gets one there.
export def Rename(buffer: number, path: string): string
  var escaped = ''
  for index in range(len(path))
    var byte = strpart(path, index, 1)
    escaped ..= byte =~ '^[[:alnum:]._/ \t-]$' || char2nr(byte) > 0x7F ? byte : '\' .. byte
  endfor
  var failure = ''
  $CONTINUO_NAME = escaped
  try
    Within(buffer, () => {
      silent keepalt file $CONTINUO_NAME
    })
  catch
    failure = v:exception
  finally
    unlet $CONTINUO_NAME
  endtry
  return failure
enddef
