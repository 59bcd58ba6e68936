" SPDX-License-Identifier: MIT
" What becomes of buffers whose files other programs change.
vim9script

import autoload 'continuo/documents.vim'
import autoload 'continuo/messages.vim'
import autoload 'continuo/names.vim'
import autoload 'continuo/place.vim'
import autoload 'continuo/saving.vim'
import autoload 'continuo/stamps.vim'
import autoload 'continuo/windows.vim'

# The buffer that is read again now; 0.
var reloading = 0

# `FileChangedShell`: Vim itself has seen a file that differs. Documents are handled here, others as Vim does.
export def Noticed(buffer: number)
  if buffer == reloading
    v:fcs_choice = 'edit'
    reloading = 0
  elseif !documents.IsSynced(buffer)
    v:fcs_choice = 'ask'
  else
    v:fcs_choice = ''
    if v:fcs_reason !=# 'deleted'
      timer_start(0, (_) => ChangedSafely(buffer))
    endif
  endif
enddef

# As `:edit` does it. What is read by `:checktime` can be undone, and keeps cursors, but Vim does so only for a file
# whose time or size differs.
def ReadAgain(buffer: number)
  var autoread = &g:autoread
  reloading = buffer
  # It would ask about a file that was not there when the buffer was made.
  if documents.IsOpen(buffer)
    set noautoread
    execute 'silent checktime ' .. buffer
    &g:autoread = autoread
  endif
  if reloading == 0
    return
  endif
  reloading = 0
  var window = place.Window(buffer)
  if window > 0
    documents.Aside(() => win_execute(window, 'silent keepalt keepjumps edit'))
  else
    execute 'bunload ' .. buffer
    documents.Aside(() => bufload(buffer))
  endif
enddef

# Reads the file again; the text is not modified. View and place stay. False, and the text stays, when that fails:
# `:edit` would empty the buffer of a file that is gone.
export def Reload(buffer: number): bool
  var name = names.Of(buffer)
  if !stamps.IsThere(buffer) || !filereadable(name)
    messages.Warn(names.Short(name) .. ' cannot be read now; your text stays')
    return false
  endif
  var views = mapnew(win_findbuf(buffer), (_, window) => [window, getcurpos(window), line('w0', window)])
  var [failure, _] = windows.WithoutQuestions(() => ReadAgain(buffer), 'e')
  for [window, cursor, top] in views
    win_execute(window, printf("call winrestview({'lnum': %d, 'col': %d, 'curswant': %d, 'topline': %d})",
      cursor[1], cursor[2] - 1, cursor[4] - 1, top))
  endfor
  if failure !=# ''
    messages.Warn('the file could not be read again: ' .. failure)
  endif
  documents.Settle(buffer)
  return failure ==# ''
enddef

def IsTyping(buffer: number): bool
  var found = mode(1)
  if buffer != bufnr() || found !~# '^[iRcr]'
    return false
  endif
  return found !~# '^[iR]$' || !documents.IsPause(buffer)
enddef

def Changed(buffer: number)
  if !bufloaded(buffer) || stamps.IsUnchanged(buffer)
    return
  endif
  if getbufvar(buffer, '&modified')
    messages.Warn(names.Short(names.Of(buffer))
      .. ' was changed on disk; your text stays: :write! saves it over that, :edit! reads the file')
    return
  endif
  # Not between two keys.
  if IsTyping(buffer)
    timer_start(300, (_) => ChangedSafely(buffer))
    return
  endif
  Reload(buffer)
enddef

def ChangedSafely(buffer: number)
  try
    Changed(buffer)
  catch
    messages.Warn('the file could not be read again: ' .. v:exception)
  endtry
enddef

# Another loaded buffer of that name; 0.
def Other(path: string, buffer: number): number
  for each in getbufinfo({bufloaded: 1})
    if each.bufnr != buffer && each.name ==# path
      return each.bufnr
    endif
  endfor
  return 0
enddef

# Vim keeps the old name as a buffer of its own.
def ForgetName(path: string, buffer: number)
  for each in getbufinfo()
    if each.bufnr != buffer && each.name ==# path && !each.loaded
      execute 'silent! bwipeout ' .. each.bufnr
    endif
  endfor
enddef

def Moved(buffer: number, name: string, new: any)
  var path = names.Path(new)
  if path ==# ''
    return
  endif
  # What still lies where it was did not move: what moved was another folder's copy of it.
  if stamps.IsUnchanged(buffer) && !stamps.IsSameFile(buffer, path)
    return
  endif
  if Other(path, buffer) > 0
    messages.Warn(name .. ' was moved to ' .. names.Shown(path)
      .. ', which is open in another buffer; this one stays as it is')
    return
  endif
  var old = names.Of(buffer)
  var failure = windows.Rename(buffer, path)
  if failure !=# ''
    messages.Warn(name .. ' was moved to ' .. names.Shown(path) .. ': ' .. failure)
    return
  endif
  saving.NoteRename(buffer)
  ForgetName(old, buffer)
  if !getbufvar(buffer, '&modified') && !IsTyping(buffer) && !stamps.IsUnchanged(buffer)
    Reload(buffer)
  endif
  # Until it is saved once, Vim takes the file for one that it does not know.
  messages.Tell(name .. ' was moved: it is ' .. names.Shown(path) .. ' now; the first :write may want a !')
enddef

# `document/changedOnDisk`.
export def ChangedOnDisk(params: dict<any>)
  var buffer = documents.Buffer(params.uri)
  if buffer == 0
    return
  endif
  var name = names.Short(names.Path(params.uri))
  var copies = get(params, 'copies', [])
  if params.change ==# 'changed'
    Changed(buffer)
  elseif params.change ==# 'moved'
    Moved(buffer, name, get(params, 'newUri', ''))
  elseif params.change ==# 'deleted'
    messages.Warn(name .. ' was deleted; the text stays here, and :write makes the file again')
  elseif params.change ==# 'conflict' && !empty(copies)
    var called = mapnew(copies, (_, uri) => names.Short(names.Path(uri)))
    messages.Warn(name .. ' is in conflict with ' .. join(called, ', ')
      .. ': :ContinuoResolve compares them, and keeps one')
  endif
enddef
