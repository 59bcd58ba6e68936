" SPDX-License-Identifier: MIT
" File names and `file:` URIs; a name may hold any bytes but NUL.
vim9script

import autoload 'continuo/shown.vim'

export def Uri(path: string): string
  if path !~ '[^A-Za-z0-9._~/-]' && strchars(path) == len(path)
    return 'file://' .. path
  endif
  var parts: list<string> = []
  for index in range(len(path))
    var byte = strpart(path, index, 1)
    add(parts, byte =~ '^[A-Za-z0-9._~/-]$' ? byte : printf('%%%02X', char2nr(byte)))
  endfor
  return 'file://' .. join(parts, '')
enddef

# Empty for anything but a file of this machine.
export def Path(uri: any): string
  var escaped: string = type(uri) == v:t_string ? matchstr(uri, '^file://[^/]*\zs/.*$') : ''
  if escaped =~ '%00'
    return ''
  endif
  if escaped !~ '%' && strchars(escaped) == len(escaped)
    return escaped
  endif
  var bytes: list<number> = []
  var index = 0
  while index < len(escaped)
    var hex = matchstr(strpart(escaped, index, 3), '^%\zs\x\x$')
    add(bytes, hex ==# '' ? char2nr(strpart(escaped, index, 1)) : str2nr(hex, 16))
    index += hex ==# '' ? 1 : 3
  endwhile
  # Each byte as a character of Latin-1: what they are in that encoding are the bytes themselves.
  return iconv(list2str(bytes, true), 'utf-8', 'latin1')
enddef

# The full name of a buffer's file.
export def Of(buffer: number): string
  var found = getbufinfo(buffer)
  return empty(found) ? '' : found[0].name
enddef

# The whole, for people.
export def Shown(path: string): string
  return shown.Text(path)
enddef

# The last part, for people.
export def Short(path: string): string
  if path ==# ''
    return 'a document'
  endif
  var last = matchstr(path, '[^/]\+\ze/*$')
  return shown.Text(last ==# '' ? path : last)
enddef
