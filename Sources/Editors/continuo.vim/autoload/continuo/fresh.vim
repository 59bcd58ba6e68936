" SPDX-License-Identifier: MIT
" Buffers with the name of a file that is not there yet: what they hold is offered once it was written.
vim9script

import autoload 'continuo/connection.vim'
import autoload 'continuo/documents.vim'
import autoload 'continuo/messages.vim'
import autoload 'continuo/names.vim'
import autoload 'continuo/stamps.vim'

# By buffer: the folder in which it will be offered; empty where that is not known.
var folders: dict<string> = {}

def IsFresh(buffer: number): bool
  return bufloaded(buffer) && !documents.IsOpen(buffer) && getbufvar(buffer, '&buftype') ==# ''
    && names.Of(buffer) =~ '^/' && !stamps.IsThere(buffer)
enddef

# Whether a folder above holds what Continuo keeps in folders of its own. Else nobody need be asked.
def MayBeSynced(path: string): bool
  var folder = substitute(path, '/[^/]*$', '', '')
  while folder !=# ''
    if isdirectory(folder .. '/.continuo')
      return true
    endif
    folder = substitute(folder, '/[^/]*$', '', '')
  endwhile
  return false
enddef

# The server is asked how the file will stand, and the person told once.
def Ask(buffer: number)
  var path = names.Of(buffer)
  var uri = names.Uri(path)
  connection.Request('document/open', {uri: uri, edited: false}, (failure, result) => {
    # It was written meanwhile, and is a document by that.
    if documents.IsOpen(buffer)
      return
    endif
    connection.Request('document/close', {uri: uri})
    if !empty(failure) || !get(result, 'synced', false) || get(folders, buffer, '') !=# '' || !IsFresh(buffer)
      return
    endif
    folders[buffer] = get(result, 'folder', 'a synced folder')
    messages.Tell('new in ' .. folders[buffer] .. ': offered after the first :write - ' .. names.Short(path))
  })
enddef

# `BufNewFile`. Nothing is said of files in other folders.
export def Begin(buffer: number)
  if has_key(folders, buffer)
    remove(folders, buffer)
  endif
  if !IsFresh(buffer) || !MayBeSynced(names.Of(buffer))
    return
  endif
  folders[buffer] = ''
  connection.Start()
  if connection.IsReady()
    Ask(buffer)
  endif
enddef

# A server that was just started.
export def SayAll()
  for [key, folder] in items(folders)
    if folder ==# '' && IsFresh(str2nr(key))
      Ask(str2nr(key))
    endif
  endfor
enddef

# A line for `:ContinuoStatus`, if the buffer is such a one; else empty.
export def Line(buffer: number): string
  if !IsFresh(buffer)
    return ''
  endif
  var name = names.Shown(names.Of(buffer))
  if get(folders, buffer, '') !=# ''
    return name .. ': new in ' .. folders[buffer] .. '; offered after the first :write'
  endif
  return name .. ': new; offered after the first :write, if its folder is synced'
enddef
