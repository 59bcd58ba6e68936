" SPDX-License-Identifier: MIT
" Which file each buffer holds: what stat(2) said when it was read or written. Vim tells neither inode nor
" nanoseconds; the program stat does.
vim9script

import autoload 'continuo/names.vim'

const PATIENCE = 5000
const LARGEST = 10 * 1024 * 1024
var known: dict<string> = {}
# By buffer: the file that was there before it was read.
var before: dict<string> = {}

# Whether files can be told apart.
export def IsAble(): bool
  return executable('stat') == 1
enddef

# Mode, device, inode, size and time of a regular file; else empty.
def Stamp(path: string): string
  if path ==# '' || getftype(path) ==# '' || !IsAble()
    return ''
  endif
  var found = ''
  try
    # Without a shell, so that the name is nothing but a name.
    var job = job_start(['stat', '-L', '-c', '%f %d %i %s %.9Y', '--', path],
      {out_mode: 'raw', in_io: 'null', err_io: 'null'})
    found = trim(ch_readraw(job, {timeout: PATIENCE}))
  catch
  endtry
  return found =~ '^8\x\{3} \d' ? found[5 : ] : ''
enddef

# The buffer is about to be read.
export def Expect(buffer: number)
  before[buffer] = Stamp(names.Of(buffer))
enddef

# Its name is no longer the file that it was read from.
export def Forget(buffer: number)
  if has_key(known, buffer)
    remove(known, buffer)
  endif
enddef

# The buffer was just read. What was replaced meanwhile is not what it holds.
export def NoteRead(buffer: number)
  var stamp = Stamp(names.Of(buffer))
  var expected = has_key(before, buffer) ? remove(before, buffer) : get(known, buffer, '')
  if stamp !=# '' && stamp ==# expected
    known[buffer] = stamp
  else
    Forget(buffer)
  endif
enddef

# The buffer was just written.
export def Note(buffer: number)
  known[buffer] = Stamp(names.Of(buffer))
enddef

# Whether the file by the buffer's name is the one that it was read from, unchanged. A rename leaves it so.
export def IsUnchanged(buffer: number): bool
  var mine = get(known, buffer, '')
  return mine !=# '' && mine ==# Stamp(names.Of(buffer))
enddef

# Whether the buffer's lines are those of its file. False for what would take long to compare.
export def HoldsFile(buffer: number): bool
  var path = names.Of(buffer)
  if getfsize(path) < 0 || getfsize(path) > LARGEST || !filereadable(path)
    return false
  endif
  var lines = readfile(path)
  map(lines, (_, line) => substitute(line, '\r$', '', ''))
  if !empty(lines) && strpart(lines[0], 0, 3) ==# "\xEF\xBB\xBF"
    lines[0] = strpart(lines[0], 3)
  endif
  return (empty(lines) ? [''] : lines) == getbufline(buffer, 1, '$')
enddef

# Whether `path` is another name of the buffer's file, as where upper and lower case are one.
export def IsSameFile(buffer: number, path: string): bool
  var mine = Stamp(names.Of(buffer))
  return mine !=# '' && mine ==# Stamp(path)
enddef

export def IsThere(buffer: number): bool
  var path = names.Of(buffer)
  return path !=# '' && getftype(resolve(path)) ==# 'file'
enddef
