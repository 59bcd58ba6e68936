" SPDX-License-Identifier: MIT
" A document and the conflict copies that sync engines left beside it: comparing them, and keeping one.
vim9script

import autoload 'continuo/choices.vim'
import autoload 'continuo/connection.vim'
import autoload 'continuo/documents.vim'
import autoload 'continuo/files.vim'
import autoload 'continuo/messages.vim'
import autoload 'continuo/names.vim'
import autoload 'continuo/windows.vim'

# By the buffer of a copy: that of the document which it was compared with.
var compared: dict<number> = {}

# One version in a list.
def Label(version: dict<any>): string
  var parts = [version.document ? 'the document here' : names.Short(names.Path(version.uri))]
  if has_key(version, 'device')
    add(parts, 'of device ' .. version.device)
  endif
  if has_key(version, 'putAside')
    add(parts, 'put aside ' .. version.putAside)
  endif
  add(parts, strftime('changed %Y-%m-%d %H:%M', float2nr(version.changedAt * 1.0 / 1000)))
  add(parts, version.size .. ' bytes')
  if !version.readable
    add(parts, 'cannot be read')
  endif
  return join(parts, ', ')
enddef

# Text that the file does not hold would be lost to the version that is kept, or be kept in its place.
def IsSaved(buffer: number): bool
  if getbufvar(buffer, '&modified')
    messages.Warn(names.Short(names.Of(buffer)) .. ' has unsaved changes: :write them first')
    return false
  endif
  return true
enddef

def TellAside(aside: list<any>)
  for each in aside
    if has_key(each, 'reason')
      messages.Warn(each.reason)
    else
      messages.Tell(names.Short(names.Path(each.from)) .. ' is in ' .. names.Shown(names.Path(each.uri)) .. ' now')
    endif
  endfor
enddef

def Keep(buffer: number, document: string, version: dict<any>)
  if !bufloaded(buffer) || !IsSaved(buffer)
    return
  endif
  # A copy that is open here may hold text that was not saved, either.
  var path = names.Path(version.uri)
  for each in getbufinfo({bufloaded: 1})
    if resolve(each.name) ==# resolve(path) && !IsSaved(each.bufnr)
      return
    endif
  endfor
  connection.Request('document/resolve', {uri: document, keep: version.uri}, (failure, result) => {
    if !empty(failure)
      messages.Warn(get(failure, 'message', ''))
      return
    endif
    TellAside(get(result, 'aside', []))
    files.ChangedOnDisk({uri: document, change: 'changed'})
  })
enddef

# Both in a tab page of their own, as `vimdiff` shows them.
def Compare(buffer: number, version: dict<any>)
  var copy = windows.Add(names.Path(version.uri))
  compared[copy] = buffer
  var [failure, _] = windows.WithoutQuestions(() => {
    execute 'tab sbuffer ' .. buffer
    diffthis
    execute 'vertical rightbelow sbuffer ' .. copy
    diffthis
  })
  if failure !=# ''
    messages.Warn(failure)
    return
  endif
  messages.Tell('merge and :write in either; then :ContinuoResolve keeps it')
enddef

# Each is what to do, the version, and what is shown.
def Actions(list: list<dict<any>>): list<list<any>>
  var others = filter(copy(list), (_, version) => !version.document)
  var readable = filter(copy(list), (_, version) => version.readable)
  return mapnew(others, (_, version) => ['compare', version, 'Compare with ' .. Label(version)])
    + mapnew(readable, (_, version) => ['keep', version, 'Keep ' .. Label(version)])
enddef

def Choose(buffer: number, document: string, list: list<dict<any>>)
  var name = names.Short(names.Of(buffer))
  if empty(list)
    messages.Tell('no conflict copy lies beside ' .. name .. ': there is nothing to resolve')
    return
  endif
  var found = Actions(list)
  choices.Ask(name .. ' has ' .. len(list) .. ' versions', mapnew(found, (_, each) => each[2]), (index) => {
    if found[index][0] ==# 'compare'
      Compare(buffer, found[index][1])
    else
      Keep(buffer, document, found[index][1])
    endif
  })
enddef

# Asks what to do about the file of the current buffer, or of that which it is compared with.
export def Resolve()
  var buffer = get(compared, bufnr(), bufnr())
  var document = documents.Uri(buffer)
  if document ==# ''
    messages.Tell('this buffer has no file in which versions can be in conflict')
    return
  endif
  var isSent = connection.Request('document/versions', {uri: document}, (failure, result) => {
    if !empty(failure)
      messages.Warn(get(failure, 'message', ''))
      return
    endif
    Choose(buffer, document, get(result, 'versions', []))
  })
  if !isSent
    messages.Tell('the server is not running: :ContinuoStart starts it')
  endif
enddef
