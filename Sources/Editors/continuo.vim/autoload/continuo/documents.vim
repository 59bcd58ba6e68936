" SPDX-License-Identifier: MIT
" Which buffers are documents, what the server hears of them, and what it asks.
vim9script

import autoload 'continuo/clock.vim'
import autoload 'continuo/connection.vim'
import autoload 'continuo/messages.vim'
import autoload 'continuo/names.vim'
import autoload 'continuo/options.vim'
import autoload 'continuo/place.vim'
import autoload 'continuo/saving.vim'
import autoload 'continuo/stamps.vim'

const PACE = 150
# How long nobody typed, in seconds, where nobody is in the middle of it: tests of slow machines set it.
export var pause = 1.5
# How long Vim may move the cursor by itself after a file was read again.
const SETTLING = 0.3

# By buffer: `uri` as the server knows it, `standing` as it told, `told` the state told last, `seen` the state seen
# last, `usedAt` when the person last typed or moved, `typedAt` when they last typed, `readAt` when it was read last,
# `isWorkedOn` whether they did since another device's version came, `isTouched` whether they did since the server
# was told, `isWanted` whether it is to hear something.
var open: dict<dict<any>> = {}
var current = 0
var isLeaving = false
var isTelling = false
var isAside = false
var TellTouched: func = (_) => 0

# `Touched(buffer)` is called when the person did something in a document, or saved it.
export def Configure(Touched: func)
  TellTouched = Touched
enddef

def IsDocument(buffer: number): bool
  return bufloaded(buffer) && getbufvar(buffer, '&buftype') ==# '' && names.Of(buffer) =~ '^/'
    && stamps.IsThere(buffer)
enddef

# What can differ between two rounds. Nobody moves in a buffer that no window shows.
def State(buffer: number): dict<any>
  var window = place.Window(buffer)
  var seen = has_key(open, buffer) ? get(open[buffer], 'seen', {}) : {}
  var spot = window > 0 ? getcurpos(window)[1 : 2] : [get(seen, 'line', 0), get(seen, 'column', 0)]
  var isVisual = mode() =~# '^[vV]$' && buffer == bufnr()
  return {
    tick: getbufvar(buffer, 'changedtick'), line: spot[0], column: spot[1], isModified: getbufvar(buffer, '&modified'),
    top: window > 0 ? line('w0', window) : 0, other: isVisual ? join(getpos('v'), ',') : '',
  }
enddef

# What the person has to do with the place is what makes it used, not what the window shows.
def IsMoved(old: dict<any>, new: dict<any>): bool
  return old.tick != new.tick || old.line != new.line || old.column != new.column || old.other !=# new.other
enddef

# Takes note of what the person does in `buffer`; whether anything differs from what the server knows.
export def Look(buffer: number): bool
  var document = open[buffer]
  var new = State(buffer)
  var seen = get(document, 'seen', {})
  if !empty(seen) && IsMoved(seen, new)
    document.usedAt = clock.Now()
    document.isWorkedOn = true
    if clock.Now() - document.readAt >= SETTLING || new.isModified
      document.isTouched = true
    endif
    if seen.tick != new.tick
      document.typedAt = document.usedAt
    endif
  endif
  document.seen = new
  return get(document, 'told', {}) != new
enddef

# Whatever the person did until now was before whatever comes.
export def LookAtAll()
  for key in keys(open)
    if bufloaded(str2nr(key))
      Look(str2nr(key))
    endif
  endfor
enddef

# The buffer is as the plugin has left it: nobody moved or typed by that.
export def Settle(buffer: number)
  if has_key(open, buffer) && bufloaded(buffer)
    open[buffer].seen = State(buffer)
  endif
enddef

# Whether the person has used `buffer` since `moment`.
export def IsUsed(buffer: number, moment: float): bool
  if !has_key(open, buffer)
    return false
  endif
  Look(buffer)
  return open[buffer].usedAt > moment
enddef

# The buffer shows what its file holds, or what another device left.
export def NoteVersion(buffer: number)
  Settle(buffer)
  if has_key(open, buffer)
    open[buffer].isWorkedOn = false
  endif
enddef

# Whether the person works on this document here, and nothing newer lies beneath.
export def IsWorkedOn(uri: any): bool
  var buffer = Buffer(uri)
  if buffer == 0
    return false
  endif
  Look(buffer)
  return open[buffer].isWorkedOn && stamps.IsUnchanged(buffer)
enddef

# MARK: Telling

def TellChanges()
  isTelling = false
  for [key, document] in items(open)
    var buffer = str2nr(key)
    if bufloaded(buffer) && (Look(buffer) || document.isWanted)
      var byPerson = document.isTouched
      extend(document, {told: document.seen, isWanted: false, isTouched: false})
      if byPerson
        TellTouched(buffer)
      endif
      connection.Notify('document/didChange', {
        uri: document.uri, edited: !!getbufvar(buffer, '&modified') && !isLeaving, byPerson: byPerson,
      })
    endif
  endfor
enddef

def TellSoon(milliseconds: number)
  if !isTelling
    isTelling = true
    timer_start(milliseconds, (_) => TellChanges())
  endif
enddef

# Something happened in `buffer` that may be worth telling.
export def Touch(buffer: number)
  if has_key(open, buffer) && Look(buffer)
    TellSoon(PACE)
  endif
enddef

def TellCurrent(buffer: number)
  if has_key(open, buffer)
    current = buffer
    connection.Notify('document/becomeCurrent', {uri: open[buffer].uri})
  endif
enddef

# Calls `Body`, which reads a file: Vim enters the buffer for that, and the person stays elsewhere.
export def Aside(Body: func)
  isAside = true
  try
    Body()
  finally
    isAside = false
  endtry
enddef

export def Enter(buffer: number)
  if has_key(open, buffer) && !isAside
    TellCurrent(buffer)
    Touch(buffer)
  endif
enddef

# The server has a document from the moment its file is read; it is asked how that stands.
def SayOpen(buffer: number)
  var document = open[buffer]
  document.told = State(buffer)
  document.seen = get(document, 'seen', document.told)
  var params = {uri: document.uri, edited: !!getbufvar(buffer, '&modified') && !isLeaving}
  connection.Request('document/open', params, (failure, result) => {
    if get(open, buffer, {}) is document
      document.standing = empty(failure) ? result : {synced: false, reason: get(failure, 'message', '')}
    endif
  })
enddef

# The buffer was read from its file, for the first time or again.
export def Read(buffer: number)
  # Recovered text, or an event that comes again: the buffer is not what the file holds.
  if getbufvar(buffer, '&modified')
    stamps.Forget(buffer)
  else
    stamps.NoteRead(buffer)
  endif
  Adopt(buffer)
enddef

# The URI of the buffer's document; empty for another buffer.
export def Uri(buffer: number): string
  return has_key(open, buffer) ? open[buffer].uri : ''
enddef

# Makes a document of a buffer that is one.
export def Adopt(buffer: number)
  if !IsDocument(buffer)
    return
  endif
  var isNew = !has_key(open, buffer)
  if isNew
    open[buffer] = {
      uri: names.Uri(names.Of(buffer)), standing: {}, usedAt: -1.0, typedAt: -pause, readAt: 0.0,
      isWorkedOn: false, isTouched: false, isWanted: false,
    }
  endif
  connection.Start()
  SayOpen(buffer)
  # What the rest of reading does (a mark that is jumped to, a modeline) is not the person's doing.
  var document = open[buffer]
  document.readAt = clock.Now()
  var was = {usedAt: document.usedAt, typedAt: document.typedAt, isTouched: document.isTouched}
  timer_start(0, (_) => {
    NoteVersion(buffer)
    extend(document, was)
  })
  if isNew && buffer == bufnr() && !isAside
    TellCurrent(buffer)
  endif
enddef

# A buffer that was read before anybody looked: its file counts as unchanged only if it holds that very text.
export def AdoptLate(buffer: number)
  if !IsDocument(buffer)
    return
  endif
  if !getbufvar(buffer, '&modified') && stamps.HoldsFile(buffer)
    stamps.Note(buffer)
  endif
  Adopt(buffer)
enddef

# `:write`; into another file (`:write other`) it means nothing.
export def Written(buffer: number, path: string)
  if path !=# names.Of(buffer) && resolve(path) !=# resolve(names.Of(buffer))
    return
  endif
  stamps.Note(buffer)
  if !has_key(open, buffer)
    Adopt(buffer)
    return
  endif
  TellTouched(buffer)
  connection.Notify('document/didSave', {uri: open[buffer].uri})
  Touch(buffer)
enddef

# The buffer has another name.
export def Renamed(buffer: number)
  if !has_key(open, buffer)
    return
  endif
  var document = open[buffer]
  var uri = names.Uri(names.Of(buffer))
  if uri !=# document.uri
    connection.Notify('document/didMove', {uri: document.uri, newUri: uri})
    document.uri = uri
  endif
enddef

# The buffer may be about to go: `:edit` unloads, too, and a quitting Vim withdraws nothing.
export def Unloading(buffer: number)
  if !has_key(open, buffer) || type(v:exiting) != v:t_none || isLeaving
    return
  endif
  var document = open[buffer]
  timer_start(0, (_) => {
    if !(get(open, buffer, {}) is document) || isLeaving || bufloaded(buffer)
      return
    endif
    remove(open, buffer)
    stamps.Forget(buffer)
    current = current == buffer ? 0 : current
    connection.Request('document/close', {uri: document.uri})
  })
enddef

# A server that was just started hears everything.
export def SayAll()
  for key in keys(open)
    if bufloaded(str2nr(key))
      SayOpen(str2nr(key))
    endif
  endfor
  TellCurrent(has_key(open, bufnr()) ? bufnr() : current)
enddef

# The last that is told. Text that is given up by `:quit!` is not saved after all.
export def Leave()
  isLeaving = true
  TellChanges()
enddef

# MARK: Rounds

# Whether the person has not typed in `buffer` for a moment.
export def IsPause(buffer: number): bool
  return !has_key(open, buffer) || clock.Now() - open[buffer].typedAt > pause
enddef

# Why it is not saved; empty where it is, or will be.
def SaveFor(buffer: number, document: dict<any>, isRequested: bool): string
  var name = names.Short(names.Path(document.uri))
  var refusal = ''
  var [isSaved, isWorthTrying, reason] = saving.Save(buffer, isRequested || IsPause(buffer))
  if isWorthTrying
    document.isWanted = true
    timer_start(float2nr(pause * 1000), (_) => TellSoon(0))
  elseif !isSaved
    messages.Once(name .. ' is handed over without your last changes: it ' .. reason)
    refusal = name .. ' ' .. reason
  endif
  Settle(buffer)
  return refusal
enddef

# `activity/update`. On the device `requestedBy` the person goes on with it: nobody is in the middle of a word here.
export def Round(params: dict<any>): dict<any>
  var buffer = Buffer(get(params, 'uri', ''))
  if buffer == 0
    return {}
  endif
  var document = open[buffer]
  Look(buffer)
  var isRequested = has_key(params, 'requestedBy')
  var refusal = ''
  if options.All().autosave && !isLeaving
    refusal = SaveFor(buffer, document, isRequested)
  endif
  # What the person did is told by the round; what saving did is not theirs.
  extend(document, {told: document.seen, isTouched: false})
  var answer: dict<any> = {
    edited: !!getbufvar(buffer, '&modified') && !isLeaving, title: names.Short(names.Path(document.uri)),
  }
  if isRequested && refusal !=# ''
    answer.refusal = refusal
  endif
  var found = place.Of(buffer)
  return empty(found) ? answer : extend(answer, {place: found})
enddef

# MARK: Looking up

# The loaded buffer of a document, by its name or by the file that it leads to; 0.
export def Buffer(uri: any): number
  var path = names.Path(uri)
  if path ==# ''
    return 0
  endif
  for [key, document] in items(open)
    if (document.uri ==# uri || names.Path(document.uri) ==# path) && bufloaded(str2nr(key))
      return str2nr(key)
    endif
  endfor
  var resolved = resolve(path)
  for [key, document] in items(open)
    if bufloaded(str2nr(key)) && resolve(names.Path(document.uri)) ==# resolved
      return str2nr(key)
    endif
  endfor
  return 0
enddef

export def IsOpen(buffer: number): bool
  return has_key(open, buffer)
enddef

# Whether the buffer's document lies in a synced folder.
export def IsSynced(buffer: number): bool
  return has_key(open, buffer) && get(open[buffer].standing, 'synced', false) == true
enddef

# How a document stands by now: `document/standingDidChange`.
export def Stands(params: dict<any>)
  var buffer = Buffer(params.uri)
  if buffer > 0
    open[buffer].standing = params
  endif
enddef

# Buffer, name and standing of every document, for people.
export def List(): list<dict<any>>
  var found: list<dict<any>> = []
  for [key, document] in items(open)
    add(found, {
      buffer: str2nr(key), uri: document.uri, path: names.Path(document.uri), standing: document.standing,
    })
  endfor
  return sort(found, (left, right) => left.buffer - right.buffer)
enddef
