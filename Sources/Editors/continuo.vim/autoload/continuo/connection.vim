" SPDX-License-Identifier: MIT
" The server, `continuo serve --stdio`, by a channel of mode "lsp". It is started when it is first needed, and
" started again when it dies.
vim9script

import autoload 'continuo/clock.vim'
import autoload 'continuo/messages.vim'
import autoload 'continuo/options.vim'
import autoload 'continuo/shown.vim'

# Whether the agent can be reached, as the server told.
export var isConnected = false
# Why there is no server; empty while there is one, or none was needed yet.
export var obstacle = ''
# What the server said last on standard error.
export var said: list<string> = []

const STARTS = 5
const WHILE = 60.0
# How long the last state may take, in seconds: tests of slow machines set it.
export var farewell = 2.0

var job: any = null_job
var isRunning = false
var isReady = false
var isStopped = false
# When the next server is to be started; 0 where none is.
var plannedAt = 0.0
# How many documents the server was told and has not answered.
var opening = 0
# Which server it is; what earlier ones still say counts for nothing.
var generation = 0
var handlers: dict<func> = {}
var starts: list<float> = []
var asked = 0
# By ID of a request: what is called with failure and result.
var answers: dict<func> = {}

# `callbacks`: `ready()`, `ended()`, `notification(method, params)`, `request(method, params)`, which gives whether it
# knows the method, and the result, and `isWanted()`, whether there is anything to say to a server.
export def Configure(callbacks: dict<func>)
  handlers = callbacks
enddef

export def IsRunning(): bool
  return isRunning
enddef

# Whether there is somebody to talk to. Nothing is kept for later: `ready` says everything again.
export def IsReady(): bool
  return isReady
enddef

def GiveUp(sentence: string)
  obstacle = shown.Text(sentence)
  messages.Once(obstacle)
enddef

def Forget()
  job = null_job
  isRunning = false
  isReady = false
  isConnected = false
  opening = 0
  answers = {}
enddef

# IDs are texts: Vim takes a message with a number for an answer that it waits for itself.
def Send(message: dict<any>)
  if !isRunning
    return
  endif
  message.jsonrpc = '2.0'
  var content = json_encode(message)
  try
    ch_sendraw(job, 'Content-Length: ' .. len(content) .. "\r\n\r\n" .. content)
  catch
    # It is gone, and its end is told.
  endtry
enddef

def Ask(method: string, params: any, Answer: func)
  asked += 1
  var id = 'vim-' .. asked
  answers[id] = Answer
  Send(params == null ? {id: id, method: method} : {id: id, method: method, params: params})
enddef

# MARK: What the server says

def Notified(method: string, params: dict<any>)
  if method ==# 'connection/didChange'
    isConnected = get(params, 'connected', false) == true
    if isConnected
      messages.Again()
    elseif has_key(params, 'message')
      messages.Once(params.message)
    endif
  endif
  handlers.notification(method, params)
enddef

def Requested(id: any, method: string, params: dict<any>)
  var [isKnown, result] = handlers.request(method, params)
  if isKnown
    Send({id: id, result: result})
  else
    Send({id: id, error: {code: -32601, message: shown.Text(method) .. ' is not known here'}})
  endif
enddef

def Answered(message: dict<any>)
  var id = string(get(message, 'id', ''))
  id = type(get(message, 'id', 0)) == v:t_string ? message.id : id
  if has_key(answers, id)
    var Answer = remove(answers, id)
    var failure = get(message, 'error', {})
    Answer(type(failure) == v:t_dict ? failure : {}, get(message, 'result', {}))
  endif
enddef

def Received(which: number, raw: any)
  if which != generation || type(raw) != v:t_dict
    return
  endif
  try
    var message = shown.Message(raw)
    var method = get(raw, 'method', '')
    var params = get(message, 'params', {})
    if type(method) != v:t_string || method ==# ''
      Answered(message)
    elseif type(params) != v:t_dict
      messages.Once(shown.Text(method) .. ' came without parameters that mean anything')
    elseif has_key(raw, 'id')
      Requested(raw.id, method, params)
    else
      Notified(method, params)
    endif
  catch
    messages.Warn('a message of the server led to an error: ' .. v:exception .. ' (' .. v:throwpoint .. ')')
  endtry
enddef

def Complained(line: any)
  add(said, shown.Text(line))
  if len(said) > 20
    remove(said, 0)
  endif
enddef

# MARK: Its life

# Too many starts within a minute; older ones are forgotten.
def IsRestless(): bool
  var now = clock.Now()
  filter(starts, (_, moment) => now - moment < WHILE)
  return len(starts) >= STARTS
enddef

def StartAgain()
  plannedAt = 0.0
  if !isStopped
    Start()
  endif
enddef

def Ended(which: number, code: number)
  if isStopped || which != generation
    return
  endif
  Forget()
  handlers.ended()
  if IsRestless()
    GiveUp(printf('the server ended %d times in a minute (exit code %d): %s', STARTS, code,
      ':ContinuoStart tries again, :ContinuoStatus shows what it said'))
    return
  endif
  var pause = float2nr(100 * pow(2, len(starts)))
  plannedAt = clock.Now() + pause / 1000.0
  timer_start(pause, (_) => StartAgain())
enddef

def Spawn(): bool
  var settings = options.All()
  generation += 1
  var mine = generation
  job = job_start(settings.cmd, {
    in_mode: 'lsp', out_mode: 'lsp', err_mode: 'nl', noblock: 1, env: settings.env,
    out_cb: (_, message) => Received(mine, message),
    err_cb: (_, line) => Complained(line),
    exit_cb: (_, code) => Ended(mine, code),
  })
  isRunning = job_status(job) !=# 'fail'
  return isRunning
enddef

def Initialize()
  var mine = generation
  var params = {
    protocolVersion: 2,
    app: {id: options.All().app, name: 'Vim', version: v:version / 100 .. '.' .. v:version % 100},
    positionEncoding: 'utf-32',
    capabilities: {continueActivity: false},
  }
  Ask('initialize', params, (failure, result) => {
    if mine != generation
      return
    endif
    if !empty(failure)
      isStopped = true
      Send({method: 'exit'})
      Forget()
      GiveUp('the server refuses this editor: ' .. get(failure, 'message', ''))
      return
    endif
    isReady = true
    isConnected = get(result, 'connected', false) == true
    handlers.ready()
  })
enddef

# What Flatpak's and Snap's editions of Vim want besides.
export def Cage(): string
  if filereadable('/.flatpak-info')
    return '. This Vim is a Flatpak: flatpak override --user --talk-name=org.freedesktop.Flatpak, and '
      .. "let g:continuo = {'cmd': ['flatpak-spawn', '--host', 'continuo', 'serve', '--stdio']}"
  endif
  return $SNAP !=# '' ? '. This Vim is a Snap, which can start it only if installed with --classic' : ''
enddef

# Starts the server if none runs.
export def Start()
  if isRunning
    return
  endif
  isStopped = false
  var command = options.All().cmd
  for fault in options.faults
    messages.Once(fault)
  endfor
  if executable(command[0]) != 1
    GiveUp(command[0] .. ' is not installed, or not on PATH: nothing is handed over. Install Continuo, or '
      .. 'say where it is with g:continuo.cmd; then :ContinuoStart' .. Cage())
    return
  endif
  add(starts, clock.Now())
  try
    if !Spawn()
      GiveUp(join(command, ' ') .. ' does not start')
      return
    endif
  catch
    Forget()
    GiveUp(join(command, ' ') .. ' does not start: ' .. v:exception)
    return
  endtry
  obstacle = ''
  Initialize()
enddef

# The person asks for it: earlier failures count no more.
export def Restart()
  starts = []
  messages.Again()
  Start()
enddef

# `Answer(failure, result)` is called later, unless the server dies before.
export def Request(method: string, params: dict<any>, Answer: func = (_, _) => 0): bool
  if isReady && method ==# 'document/open'
    # `Forget` drops the answers of a server that ended.
    opening += 1
    Ask(method, params, (failure, result) => {
      opening -= 1
      Answer(failure, result)
    })
  elseif isReady
    Ask(method, params, Answer)
  endif
  return isReady
enddef

export def Notify(method: string, params: dict<any>)
  if isReady
    Send({method: method, params: params})
  endif
enddef

# Whether `Check` holds before `until`.
def Wait(until: float, Check: func(): bool): bool
  while !Check()
    if clock.Now() >= until
      return false
    endif
    sleep! 5m
  endwhile
  return true
enddef

# Whether there is a server to talk to, or none will be. Vim calls no timer while it ends.
def IsDecided(): bool
  if plannedAt > 0.0 && clock.Now() >= plannedAt
    StartAgain()
  endif
  return isRunning ? isReady && job_status(job) ==# 'run' : plannedAt == 0.0
enddef

# Says the last state; whether the server has taken it. What it does not know yet is not offered.
def SayLast(until: float): bool
  var mine = generation
  var isDone = [false]
  var IsGone = () => !isRunning || generation != mine || job_status(job) !=# 'run'
  Wait(until, () => opening == 0 || IsGone())
  if IsGone()
    return false
  endif
  Ask('shutdown', null, (_, _) => {
    isDone[0] = true
  })
  Wait(until, () => isDone[0] || IsGone())
  return isDone[0]
enddef

# Says the last state and ends the server; waits at most two seconds for it, also for one that is only starting, or
# will in place of one that died, where there is anything to say.
export def Stop()
  var until = clock.Now() + farewell
  var isSaid = false
  while !isSaid && clock.Now() < until
    if handlers.isWanted()
      Wait(until, IsDecided)
    endif
    if !isReady || job_status(job) !=# 'run'
      break
    endif
    isSaid = SayLast(until)
  endwhile
  isStopped = true
  if !isRunning
    return
  endif
  if isReady
    Send({method: 'exit'})
    Wait(clock.Now() + 0.5, () => job_status(job) !=# 'run')
  else
    job_stop(job)
  endif
  generation += 1
  Forget()
enddef
