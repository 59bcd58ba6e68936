" SPDX-License-Identifier: MIT
" What other devices offer, what is continued, and what the person decides about it.
vim9script

import autoload 'continuo/choices.vim'
import autoload 'continuo/clock.vim'
import autoload 'continuo/connection.vim'
import autoload 'continuo/documents.vim'
import autoload 'continuo/messages.vim'
import autoload 'continuo/names.vim'
import autoload 'continuo/options.vim'
import autoload 'continuo/prompt.vim'
import autoload 'continuo/shown.vim'

export var list: list<dict<any>> = []
# By offer's ID: when it has to have changed again to be shown, after the person put it away or continued it; when
# it was accepted; of which a message told.
var hidden: dict<number> = {}
var accepted: dict<float> = {}
var notified: dict<bool> = {}
# What is put away stays so for a while, in the other device's milliseconds.
const QUIET = 600000
const PATIENCE = 5.0
# By request: `offer`, `status`, `at`.
var waits: dict<dict<any>> = {}
# What the person asked to continue before the server could tell of it; its number.
var postponed = 0
var postponements = 0
var wantedLater = ''
# Since when it is this server and this agent, of which no offer was told yet; a new one may tell a moment later
# what is offered.
var renewedAt = clock.Now()

# How an offer is called.
def Title(offer: dict<any>): string
  var title = get(offer, 'title', '')
  if title !=# ''
    return title
  endif
  return has_key(offer, 'path') ? names.Short(offer.path) : get(offer, 'type', '')
enddef

def Label(offer: dict<any>): string
  var remark = get(offer, 'unsavedChanges', false) ? ', with unsaved changes there' : ''
  return Title(offer) .. ' from ' .. get(offer, 'device', 'another device') .. remark
enddef

# MARK: The prompt

def Size(bytes: number): string
  if bytes < 10240
    return bytes .. ' B'
  endif
  return bytes < 10485760 ? bytes / 1024 .. ' kB' : bytes / 1048576 .. ' MB'
enddef

def Progress(status: dict<any>): string
  if get(status, 'expected', 0) == 0
    return ''
  endif
  return printf(' (%s of %s)', Size(get(status, 'received', 0)), Size(status.expected))
enddef

def WaitText(wait: dict<any>): string
  var status = wait.status
  if empty(status)
    return ''
  endif
  var reason = get(status, 'reason', '') ==# '' ? '' : ': ' .. status.reason
  var dash = ' ' .. shown.Dash() .. ' '
  if get(status, 'arrival', '') ==# 'diverged'
    return Title(wait.offer) .. ' has diverged' .. reason .. dash .. ':ContinuoChoose'
  endif
  return 'Waiting for ' .. Label(wait.offer) .. Progress(status) .. reason .. dash .. ':ContinuoChoose, :ContinuoCancel'
enddef

# The request of the wait that began last; empty.
def LastWait(): string
  var found = ''
  for [request, wait] in items(waits)
    if found ==# '' || wait.at > waits[found].at
      found = request
    endif
  endfor
  return found
enddef

def OfferText(offer: dict<any>): string
  var keys = options.All().keys
  var how = keys.continue !=# '' ? keys.continue .. ' continues' : ':ContinuoResume continues'
  var away = keys.dismiss !=# '' ? keys.dismiss .. ' dismisses' : ':ContinuoDismiss dismisses'
  return shown.Arrow() .. ' ' .. Label(offer) .. ' ' .. shown.Dash() .. ' ' .. how .. ', ' .. away
enddef

# Whether an offer brings anything: not the text that the person works on here anyway.
def Brings(offer: dict<any>): bool
  var arrival = get(get(offer, 'status', {}), 'arrival', '')
  return arrival !=# 'current' && arrival !=# 'ahead' || !documents.IsWorkedOn(get(offer, 'uri', ''))
enddef

# The newest offer that the person has neither accepted nor put away; empty.
def News(): dict<any>
  var found: dict<any> = {}
  for offer in list
    var isNewer = empty(found) || offer.changedAt > found.changedAt
    if isNewer && !has_key(accepted, offer.id) && offer.changedAt > get(hidden, offer.id, -1) && Brings(offer)
      found = offer
    endif
  endfor
  return found
enddef

def Redraw()
  var settings = options.All()
  var offer = News()
  if settings.prompt is 'notify' && !empty(offer) && !has_key(notified, offer.id)
    notified[offer.id] = true
    messages.Tell(Label(offer) .. ' ' .. shown.Dash() .. ' :ContinuoResume')
  endif
  if settings.prompt is 'notify' || !settings.prompt
    prompt.Hide()
    return
  endif
  var request = LastWait()
  var text = request ==# '' ? '' : WaitText(waits[request])
  if text !=# ''
    prompt.Show(text, {})
    return
  endif
  if empty(offer)
    prompt.Hide()
    return
  endif
  # What the keys do names no offer: it is looked up when they are pressed.
  prompt.Show(OfferText(offer), {
    [settings.keys.continue]: '<Cmd>call continuo#AcceptNewest()<CR>',
    [settings.keys.dismiss]: '<Cmd>call continuo#Dismiss()<CR>',
  })
enddef

# The person did something: perhaps the offer brings nothing any more.
export def Refresh()
  if prompt.text !=# ''
    Redraw()
  endif
enddef

# For a status line: the newest offer, or what is awaited; else nothing.
export def Line(): string
  var request = LastWait()
  if request !=# ''
    return shown.Arrow() .. ' ' .. shown.Dots() .. ' ' .. Title(waits[request].offer)
  endif
  var offer = News()
  return empty(offer) ? '' : shown.Arrow() .. ' ' .. Title(offer)
enddef

# MARK: The server's news

# The newest offer of each document: an editor that was killed left its own, and began another one.
def Newest(given: list<any>): list<dict<any>>
  var found: list<dict<any>> = []
  var places: dict<number> = {}
  for offer in given
    offer.changedAt = float2nr(get(offer, 'changedAt', 0) * 1.0)
    var path = [get(offer, 'device', ''), get(offer, 'folder', ''), get(offer, 'path', '')]
    var key = has_key(offer, 'path') ? string(path) : offer.id
    if !has_key(places, key)
      places[key] = len(found)
      add(found, offer)
    elseif offer.changedAt > found[places[key]].changedAt
      found[places[key]] = offer
    endif
  endfor
  return found
enddef

export def Changed(given: list<any>)
  list = Newest(given)
  if !empty(list)
    renewedAt = clock.Now() - PATIENCE
  endif
  var isThere: dict<bool> = {}
  for offer in list
    isThere[offer.id] = true
  endfor
  filter(hidden, (id, _) => has_key(isThere, id))
  filter(accepted, (id, _) => has_key(isThere, id))
  filter(notified, (id, _) => has_key(isThere, id))
  Redraw()
  if postponed > 0 && !empty(list)
    postponed = 0
    Resume(wantedLater)
  endif
enddef

export def WillContinue(request: string, offer: dict<any>)
  documents.LookAtAll()
  waits[request] = {offer: offer, at: get(accepted, offer.id, clock.Now()), status: {}}
  accepted[offer.id] = waits[request].at
  Redraw()
enddef

export def Progressed(request: string, offer: dict<any>, status: dict<any>)
  if !has_key(waits, request)
    WillContinue(request, offer)
  endif
  waits[request].status = status
  Redraw()
enddef

def End(request: string): dict<any>
  var wait = has_key(waits, request) ? remove(waits, request) : {}
  if !empty(wait) && has_key(accepted, wait.offer.id)
    remove(accepted, wait.offer.id)
  endif
  return wait
enddef

# The continuation is over; when the person asked for it.
export def Finish(request: string): float
  var wait = End(request)
  for offer in empty(wait) ? [] : list
    if offer.id ==# wait.offer.id
      hidden[offer.id] = offer.changedAt
    endif
  endfor
  Redraw()
  return empty(wait) ? clock.Now() : wait.at
enddef

export def Failed(request: string, message: string, isShown: bool)
  End(request)
  if isShown
    messages.Warn(message)
  endif
  Redraw()
enddef

# The agent can be reached, after it could not. One that was just started reads its folders first.
export def Renew()
  renewedAt = clock.Now()
enddef

# The server is gone, and with it what it did.
export def Forget()
  list = []
  waits = {}
  accepted = {}
  Renew()
  Redraw()
enddef

# MARK: The person

export def Accept(offer: dict<any>)
  documents.LookAtAll()
  accepted[offer.id] = clock.Now()
  Redraw()
  connection.Request('continuation/accept', {offer: offer.id}, (failure, _) => {
    if empty(failure)
      return
    endif
    if has_key(accepted, offer.id)
      remove(accepted, offer.id)
    endif
    messages.Warn(get(failure, 'message', ''))
    Redraw()
  })
enddef

# What the prompt shows.
export def AcceptNewest()
  var offer = News()
  if !empty(offer)
    Accept(offer)
  endif
enddef

# A command's argument has no blanks around it.
def Called(offer: dict<any>): string
  return trim(Title(offer))
enddef

export def Titles(lead: string): list<string>
  return filter(mapnew(list, (_, offer) => Called(offer)), (_, each) => each !=# '' && stridx(each, lead) == 0)
enddef

# Starts the server, unless it runs, and continues when it tells of an offer.
def ResumeLater(wanted: string)
  postponements += 1
  var mine = postponements
  postponed = mine
  wantedLater = wanted
  if !connection.IsRunning()
    connection.Restart()
  endif
  timer_start(float2nr(PATIENCE * 1000), (_) => {
    if postponed != mine
      return
    endif
    postponed = 0
    if connection.obstacle ==# '' && connection.IsRunning()
      ResumeNow(wanted)
    endif
  })
enddef

def Pick()
  choices.Ask('Continue', mapnew(list, (_, offer) => Label(offer)), function(AcceptAt, [copy(list)]))
enddef

def AcceptAt(given: list<dict<any>>, index: number)
  Accept(given[index])
enddef

# Continues the offer called `wanted`, the only one, or one that the person chooses.
export def Resume(wanted: string)
  if !connection.IsRunning() || empty(list) && clock.Now() - renewedAt < PATIENCE
    ResumeLater(wanted)
    return
  endif
  ResumeNow(wanted)
enddef

def ResumeNow(wanted: string)
  var found = copy(list)
  var lead = trim(wanted)
  if lead !=# ''
    filter(found, (_, offer) => Called(offer) ==# lead)
    if empty(found)
      found = filter(copy(list), (_, offer) => stridx(Called(offer), lead) == 0)
    endif
  endif
  if empty(found)
    var sentence = 'no other device offers anything; :ContinuoStatus tells how this one stands'
    messages.Tell(lead ==# '' ? sentence : 'nobody offers ' .. lead .. '; :ContinuoOffers lists what there is')
    return
  endif
  if len(found) == 1
    Accept(found[0])
    return
  endif
  choices.Ask('Continue', mapnew(found, (_, offer) => Label(offer)), function(AcceptAt, [found]))
enddef

# The list, to choose from, however short.
export def Choose()
  if len(list) < 2
    Resume('')
    return
  endif
  Pick()
enddef

export def Dismiss()
  for offer in list
    hidden[offer.id] = offer.changedAt + QUIET
  endfor
  Redraw()
enddef

const WAYS = ['openHere', 'keepWaiting', 'giveUp']

# Decides about the wait that began last: `given` is a choice of the protocol, else the person is asked.
export def Decide(given: string)
  var request = LastWait()
  if request ==# ''
    messages.Tell('nothing waits')
    return
  endif
  if given !=# ''
    connection.Request('continuation/choose', {request: request, choice: given})
    return
  endif
  var wait = waits[request]
  var reason = get(wait.status, 'reason', '')
  choices.Ask(Title(wait.offer) .. (reason ==# '' ? '' : ': ' .. reason),
    ['Open what is here, for reading', 'Keep waiting', 'Give up'], (index) => {
      connection.Request('continuation/choose', {request: request, choice: WAYS[index]})
    })
enddef

export def Cancel()
  var request = LastWait()
  if request ==# ''
    messages.Tell('nothing waits')
    return
  endif
  connection.Request('continuation/cancel', {request: request})
enddef

# Lines for `:ContinuoStatus`.
export def Lines(): list<string>
  var lines = mapnew(list, (_, offer) =>
    '  ' .. Label(offer) .. (has_key(offer, 'remark') ? ' (' .. offer.remark .. ')' : ''))
  for wait in values(waits)
    var text = WaitText(wait)
    add(lines, '  ' .. (text ==# '' ? 'continuing ' .. Label(wait.offer) : text))
  endfor
  return lines
enddef
