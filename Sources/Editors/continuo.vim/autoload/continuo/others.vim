" SPDX-License-Identifier: MIT
" Who else has a document: the device that goes on with it, and those that edit it, too.
vim9script

import autoload 'continuo/clock.vim'
import autoload 'continuo/connection.vim'
import autoload 'continuo/documents.vim'
import autoload 'continuo/messages.vim'
import autoload 'continuo/names.vim'

# By buffer: what is shown of the device that goes on with it, and of one that edits it.
var continued: dict<string> = {}
var editing: dict<string> = {}

# The line of the status; while the person types a command, drawing it would scroll that.
def Redraw()
  if mode(1) =~# '^[cr!]'
    timer_start(300, (_) => Redraw())
  else
    redrawstatus
  endif
enddef

# `activity/wasContinued`.
export def WasContinued(params: dict<any>)
  var moment = clock.Day(get(params, 'at', ''))
  var sentence = 'continued on ' .. get(params, 'device', 'another device') .. (moment ==# '' ? '' : ' at ' .. moment)
  var path = names.Path(get(params, 'uri', ''))
  var buffer = documents.Buffer(get(params, 'uri', ''))
  if buffer > 0 && get(params, 'givenUp', false)
    continued[buffer] = sentence
  endif
  messages.Tell((path ==# '' ? 'your work' : names.Short(path)) .. ' was ' .. sentence)
  Redraw()
enddef

# The person changed the document here, or saved it: it is theirs again.
export def TakeBack(buffer: number)
  if has_key(continued, buffer)
    remove(continued, buffer)
    Redraw()
  endif
enddef

def Sentence(editor: dict<any>): string
  var since = clock.Day(get(editor, 'since', ''))
  if get(editor, 'leftOpen', false)
    return editor.device .. ' left this open' .. (since ==# '' ? '' : ' at ' .. since)
  endif
  return editor.device .. ' is editing this' .. (since ==# '' ? '' : ' since ' .. since)
    .. (get(editor, 'unsavedChanges', false) ? ', with unsaved changes' : '')
enddef

# Asks who edits the document of `buffer` elsewhere.
def Ask(buffer: number, uri: string)
  connection.Request('document/otherEditors', {uri: uri}, (failure, result) => {
    var editors = empty(failure) ? get(result, 'editors', []) : []
    var told = empty(editors) ? '' : Sentence(editors[0])
    if get(editing, buffer, '') !=# told
      editing[buffer] = told
      Redraw()
    endif
  })
enddef

# What other devices offer has changed.
export def Refresh()
  for document in documents.List()
    Ask(document.buffer, document.uri)
  endfor
enddef

# The server is gone, and what it told.
export def Forget()
  continued = {}
  editing = {}
enddef

# What is to be said of `buffer`; empty for nothing.
export def Line(buffer: number): string
  return get(continued, buffer, get(editing, buffer, ''))
enddef
