" SPDX-License-Identifier: MIT
" Showing what is continued, where the other device was.
vim9script

import autoload 'continuo/documents.vim'
import autoload 'continuo/files.vim'
import autoload 'continuo/messages.vim'
import autoload 'continuo/names.vim'
import autoload 'continuo/place.vim'
import autoload 'continuo/stamps.vim'
import autoload 'continuo/windows.vim'

# Where another device was: `buffer` and `place`.
var target: dict<any> = {}

def Foreign(path: string)
  messages.Warn(names.Short(path) .. ' is open in another Vim, or was when one ended suddenly: it is shown for reading')
enddef

# Shows the file in front of the person: empty, or why not.
def Show(path: string, known: number): string
  var window = known > 0 ? place.Window(known) : 0
  if window > 0
    win_gotoid(window)
    return ''
  endif
  var buffer = known > 0 ? known : windows.Add(path)
  var [failure, isForeign] = windows.WithoutQuestions(() => windows.Show(buffer))
  # A swap file that cannot be made, or an autocommand that fails, takes nothing from what was read.
  if failure !=# '' && !stamps.IsUnchanged(buffer)
    return failure
  endif
  if failure !=# ''
    messages.Warn(names.Short(path) .. ' is open, but: ' .. failure)
  endif
  if isForeign
    Foreign(path)
  endif
  return ''
enddef

# The person is in the middle of something: nothing is put in front of it.
def IsBusy(): bool
  return mode(1) !=# 'n' || getcmdwintype() !=# '' || state('mo') !=# ''
enddef

# A buffer of that name which was never read from the file, as one that was there before it: reads it now. Empty, or
# why that cannot be.
def ReadLate(path: string): string
  var buffer = bufadd(path)
  if !bufloaded(buffer)
    return ''
  endif
  if getbufvar(buffer, '&modified')
    return 'it has unsaved changes here'
  endif
  return files.Reload(buffer) ? '' : 'it cannot be read'
enddef

# Reads the file into a buffer that no window shows: empty, or why not.
def Load(path: string): string
  var buffer = windows.Add(path)
  var [failure, isForeign] = windows.WithoutQuestions(() => documents.Aside(() => bufload(buffer)))
  if isForeign
    Foreign(path)
  endif
  return stamps.IsUnchanged(buffer) ? '' : failure
enddef

def Refused(message: string): dict<any>
  return {opened: false, message: message}
enddef

# An open document whose file is another one by now is read again: empty, or why not.
def Renew(buffer: number, name: string): string
  if buffer == 0 || stamps.IsUnchanged(buffer)
    return ''
  endif
  if getbufvar(buffer, '&modified')
    var sentence = name .. ' has unsaved changes here, and the file is newer: save it under another name, or give '
      .. 'them up with :edit!, and continue again'
    messages.Warn(sentence)
    return sentence
  endif
  return files.Reload(buffer) ? '' : name .. ' cannot be read'
enddef

# What was opened for reading alone is written again once the version meant is there.
def Protect(buffer: number, isReadOnly: bool)
  if isReadOnly && !getbufvar(buffer, '&readonly')
    setbufvar(buffer, '&readonly', 1)
    setbufvar(buffer, 'continuo_read_only', 1)
  elseif !isReadOnly && getbufvar(buffer, 'continuo_read_only', 0) == 1
    setbufvar(buffer, '&readonly', 0)
    setbufvar(buffer, 'continuo_read_only', 0)
  endif
enddef

def Go(params: dict<any>, name: string, buffer: number, stays: string)
  target = has_key(params, 'place') ? {buffer: buffer, place: params.place} : {}
  if stays !=# ''
    var device = get(get(params, 'offer', {}), 'device', 'the other device')
    var line = has_key(params, 'place') ? ' (line ' .. (params.place.position.line + 1) .. ')' : ''
    messages.Tell(name .. stays .. ':ContinuoJump goes where ' .. device .. ' was' .. line)
  elseif !empty(target)
    Jump()
    documents.NoteVersion(buffer)
    if get(params, 'certainty', '') ==# 'unsure'
      messages.Tell(name .. ': the place is gone; this is the nearest line')
    endif
  endif
enddef

# `document/restore`; `moment`: when the person asked to continue.
export def Restore(params: dict<any>, moment: float): dict<any>
  var path = names.Path(get(params, 'uri', ''))
  if path ==# ''
    return Refused('no file')
  endif
  var name = names.Short(path)
  var buffer = documents.Buffer(params.uri)
  var isKept = buffer > 0 && documents.IsUsed(buffer, moment)
  var refusal = Renew(buffer, name)
  if refusal !=# ''
    return Refused(refusal)
  endif
  var isBehind = IsBusy() && (buffer == 0 || buffer != bufnr())
  var obstacle = !filereadable(path) ? 'it cannot be read' : buffer == 0 ? ReadLate(path) : ''
  if obstacle ==# ''
    obstacle = !isBehind ? Show(path, buffer) : buffer == 0 ? Load(path) : ''
    buffer = documents.Buffer(params.uri)
  endif
  if obstacle !=# '' || buffer == 0
    return Refused(name .. ' could not be opened: ' .. (obstacle ==# '' ? 'it is no document' : obstacle))
  endif
  Protect(buffer, get(params, 'readOnly', false) == true)
  if !getbufvar(buffer, '&modified')
    documents.Adopt(buffer)
  endif
  Go(params, name, buffer, isKept ? ': your cursor stays; ' : isBehind ? ' is open in the background; ' : '')
  return {opened: true}
enddef

# Goes where the other device was.
export def Jump()
  if empty(target) || !bufloaded(target.buffer)
    messages.Tell("no other device's place is known; :ContinuoResume continues what one offers")
    return
  endif
  var window = place.Window(target.buffer)
  if window > 0
    win_gotoid(window)
  else
    var [failure, _] = windows.WithoutQuestions(() => windows.Show(target.buffer))
    if failure !=# ''
      messages.Warn(failure)
      return
    endif
    window = win_getid()
  endif
  place.Go(target.buffer, window, target.place)
  documents.Settle(target.buffer)
  documents.Touch(target.buffer)
enddef
