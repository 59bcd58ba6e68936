" SPDX-License-Identifier: MIT
" Saving without a question: whatever the person is doing, mode, cursor, undo and menus stay as they are.
vim9script

import autoload 'continuo/names.vim'
import autoload 'continuo/place.vim'
import autoload 'continuo/stamps.vim'

# Buffers that were renamed here, because the engine moved their file: Vim asks before it writes those.
var renamed: dict<bool> = {}

export def NoteRename(buffer: number)
  renamed[buffer] = true
enddef

# What of the person's own may act on a text that is written.
const EVENTS = ['BufWritePre', 'BufWriteCmd', 'FileWritePre', 'FileWriteCmd', 'BufWritePost', 'FileWritePost']

def Matches(pattern: string, path: string): bool
  var name = stridx(pattern, '/') >= 0 ? path : matchstr(path, '[^/]*$')
  try
    return match(name, '\C' .. glob2regpat(pattern)) >= 0
  catch
    return true
  endtry
enddef

# Whether anything of others (formatters, encryption) acts when this buffer is written.
def HasHooks(buffer: number): bool
  if getbufvar(buffer, '&key') !=# ''
    return true
  endif
  var path = names.Of(buffer)
  for event in EVENTS
    for found in autocmd_get({event: event})
      if get(found, 'group', '') ==# 'continuo'
        continue
      endif
      if get(found, 'bufnr', 0) > 0 ? found.bufnr == buffer : Matches(get(found, 'pattern', '*'), path)
        return true
      endif
    endfor
  endfor
  return false
enddef

# Whether the file's encoding has all that the buffer holds.
def IsLossless(buffer: number): bool
  var coding = getbufvar(buffer, '&fileencoding')
  if coding ==# '' || coding ==# &encoding || getbufvar(buffer, '&binary')
    return true
  endif
  if coding =~ '^utf\|^ucs-4'
    return true
  endif
  # NUL bytes are line breaks within a line here, and stay what they are.
  var text = join(getbufline(buffer, 1, '$'), "\n")
  if coding =~ '^ucs'
    return text !~ '[^\x01-\uffff]'
  endif
  return iconv(iconv(text, &encoding, coding), coding, &encoding) ==# text
enddef

# Why the buffer cannot be saved without a question; empty where it can.
def Hindrance(buffer: number): string
  if getbufvar(buffer, '&readonly') || !getbufvar(buffer, '&modifiable') || !&write
    return 'is read-only'
  endif
  if getbufvar(buffer, '&buftype') !=# ''
    return 'is no file'
  endif
  if !stamps.IsUnchanged(buffer)
    return !stamps.IsAble() ? 'cannot be told from another file: the program stat is missing'
      : stamps.IsThere(buffer) ? 'was changed on disk' : 'was deleted on disk'
  endif
  if filewritable(names.Of(buffer)) != 1
    return 'cannot be written'
  endif
  return IsLossless(buffer) ? '' : 'has characters that ' .. getbufvar(buffer, '&fileencoding') .. ' has not'
enddef

def IsTyping(): bool
  return mode() =~# '^[iR]'
enddef

# Whether the person should not be disturbed at this moment.
def IsBad(buffer: number): bool
  var found = mode(1)
  if found =~# '^\%(no\|[cr!t]\)' || state('o') !=# ''
    return true
  endif
  # A menu of completion would go away.
  return IsTyping() && bufnr() == buffer && (found =~# '[xc]$' || pumvisible())
enddef

# Writes `buffer`, through a window that nobody sees where no window shows it.
def Write(buffer: number)
  var command = 'silent lockmarks keepalt keepjumps write' .. (has_key(renamed, buffer) ? '!' : '')
  var window = place.Window(buffer)
  if window == win_getid()
    execute command
  elseif window > 0
    win_execute(window, command)
  elseif has('popupwin')
    var unseen = popup_create(buffer, {hidden: true})
    try
      win_execute(unseen, command)
    finally
      popup_close(unseen)
    endtry
  endif
enddef

# Saves `buffer` if it is modified and that needs no question: whether the file holds the text afterwards, whether it
# is else worth trying again soon, and why it is not. `isPause`: nobody typed for a moment.
export def Save(buffer: number, isPause: bool): list<any>
  if !getbufvar(buffer, '&modified')
    return [true, false, '']
  endif
  var hindrance = Hindrance(buffer)
  if hindrance !=# ''
    return [false, false, hindrance]
  endif
  # What others hang on a save may change the text; never between two keys.
  if IsBad(buffer) || IsTyping() && !isPause && HasHooks(buffer)
    return [false, true, '']
  endif
  var confirm = &confirm
  var failure = ''
  v:errmsg = ''
  try
    set noconfirm
    Write(buffer)
  catch
    failure = v:exception
  finally
    &confirm = confirm
  endtry
  if failure !=# '' || getbufvar(buffer, '&modified')
    return [false, false, 'could not be saved: ' .. (failure ==# '' ? v:errmsg : failure)]
  endif
  if has_key(renamed, buffer)
    remove(renamed, buffer)
  endif
  return [true, false, '']
enddef
