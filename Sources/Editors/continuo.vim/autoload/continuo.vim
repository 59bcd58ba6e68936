" SPDX-License-Identifier: MIT
" Continuo for Vim: what is edited here can be continued on another device, and the other way round.
" `:help continuo` describes it.
vim9script

import autoload 'continuo/connection.vim'
import autoload 'continuo/documents.vim'
import autoload 'continuo/files.vim'
import autoload 'continuo/fresh.vim'
import autoload 'continuo/health.vim'
import autoload 'continuo/messages.vim'
import autoload 'continuo/names.vim'
import autoload 'continuo/offers.vim'
import autoload 'continuo/options.vim'
import autoload 'continuo/others.vim'
import autoload 'continuo/prompt.vim'
import autoload 'continuo/restoring.vim'
import autoload 'continuo/shown.vim'
import autoload 'continuo/stamps.vim'
import autoload 'continuo/versions.vim'

# MARK: What the server says

def OffersChanged(params: dict<any>)
  offers.Changed(get(params, 'offers', []))
  others.Refresh()
enddef

def Withheld(params: dict<any>)
  messages.Once(names.Short(names.Path(get(params, 'uri', ''))) .. ' is not offered: ' .. get(params, 'reason', ''))
enddef

def Notification(method: string, params: dict<any>)
  if method ==# 'offers/didChange'
    OffersChanged(params)
  elseif method ==# 'connection/didChange'
    if get(params, 'connected', false) == true
      offers.Renew()
    endif
  elseif method ==# 'continuation/willContinue'
    offers.WillContinue(params.request, params.offer)
  elseif method ==# 'continuation/progress'
    offers.Progressed(params.request, params.offer, params.status)
  elseif method ==# 'continuation/didFail'
    offers.Failed(params.request, get(params, 'message', ''), get(params, 'shown', true))
  elseif method ==# 'document/changedOnDisk'
    files.ChangedOnDisk(params)
  elseif method ==# 'document/standingDidChange'
    documents.Stands(params)
  elseif method ==# 'activity/wasContinued'
    others.WasContinued(params)
  elseif method ==# 'activity/withheld'
    Withheld(params)
  endif
enddef

# Whether the method is known, and the result.
def Request(method: string, params: dict<any>): list<any>
  try
    if method ==# 'activity/update'
      return [true, documents.Round(params)]
    endif
    if method ==# 'document/restore'
      return [true, restoring.Restore(params, offers.Finish(get(params, 'request', '')))]
    endif
  catch
    var failure = shown.Text(v:exception)
    messages.Warn(method .. ': ' .. failure .. ' (' .. v:throwpoint .. ')')
    return [true, method ==# 'document/restore' ? {opened: false, message: failure} : {}]
  endtry
  return [false, {}]
enddef

def Ready()
  offers.Renew()
  documents.SayAll()
  fresh.SayAll()
enddef

def ForgetServer()
  offers.Forget()
  others.Forget()
enddef

# MARK: What Vim says

def Listen()
  augroup continuo
    autocmd BufFilePost * call continuo#Renamed(str2nr(expand('<abuf>')))
    autocmd BufUnload,BufWipeout * call continuo#Unloading(str2nr(expand('<abuf>')))
    autocmd BufEnter,FocusGained * call continuo#Entered()
    autocmd TextChanged,TextChangedI,TextChangedP,CursorMoved,CursorMovedI,InsertLeave * call continuo#Touched()
    autocmd ModeChanged,WinScrolled,InsertEnter * call continuo#Touched()
    autocmd InsertEnter,TextChanged * call continuo#Worked()
    autocmd FileChangedShell * call continuo#Noticed(str2nr(expand('<abuf>')))
    autocmd VimResized * call continuo#Resized()
    autocmd VimLeavePre * call continuo#Left()
  augroup END
enddef

export def Reading(buffer: number)
  stamps.Expect(buffer)
enddef

export def Read(buffer: number)
  documents.Read(buffer)
enddef

export def New(buffer: number)
  fresh.Begin(buffer)
enddef

export def Written(buffer: number, path: string)
  documents.Written(buffer, path)
enddef

export def Renamed(buffer: number)
  documents.Renamed(buffer)
enddef

export def Unloading(buffer: number)
  documents.Unloading(buffer)
enddef

export def Entered()
  documents.Enter(bufnr())
enddef

export def Touched()
  documents.Touch(bufnr())
enddef

export def Worked()
  offers.Refresh()
enddef

export def Noticed(buffer: number)
  files.Noticed(buffer)
enddef

export def Resized()
  prompt.Redraw()
enddef

export def Left()
  documents.Leave()
  connection.Stop()
enddef

export def Greet()
  connection.Start()
enddef

# Files that were open before the plugin was.
export def Adopt()
  for each in getbufinfo({bufloaded: 1})
    documents.AdoptLate(each.bufnr)
  endfor
enddef

# MARK: What the person does

export def Resume(title = '')
  offers.Resume(title)
enddef

export def Offers()
  offers.Choose()
enddef

export def Choose(choice = '')
  offers.Decide(choice)
enddef

export def Cancel()
  offers.Cancel()
enddef

export def Dismiss()
  offers.Dismiss()
enddef

export def AcceptNewest()
  offers.AcceptNewest()
enddef

export def Jump()
  restoring.Jump()
enddef

export def Resolve()
  versions.Resolve()
enddef

export def Start()
  connection.Restart()
enddef

export def Stop()
  connection.Stop()
  ForgetServer()
enddef

export def Health()
  health.Show()
enddef

# Titles of offers that begin with `lead`.
export def Titles(lead: string): list<string>
  return offers.Titles(lead)
enddef

# For a status line: who else has this document, and what is offered or awaited; else an empty text. What a "%" of a
# title begins is no item there.
export def Statusline(): string
  var parts = filter([others.Line(bufnr()), offers.Line()], (_, part) => part !=# '')
  return substitute(join(parts, '  '), '%', '%%', 'g')
enddef

def ServerLine(): string
  if connection.obstacle !=# ''
    return 'Server: ' .. connection.obstacle
  endif
  if !connection.IsRunning()
    return 'Server: not running; it starts with the first file, or :ContinuoStart'
  endif
  return 'Server: running, ' .. (connection.isConnected ? 'connected to the agent' : 'the agent cannot be reached')
enddef

def DocumentLine(document: dict<any>): string
  var standing = document.standing
  var how = get(standing, 'synced', false) ? 'in ' .. get(standing, 'folder', 'a synced folder')
    : get(standing, 'reason', 'not told yet')
  var line = others.Line(document.buffer)
  return '  ' .. names.Shown(document.path) .. ': ' .. how .. (line ==# '' ? '' : '; ' .. line)
enddef

# How all stands, as lines.
export def Report(): list<string>
  var lines = [ServerLine(), 'Documents:'] + mapnew(documents.List(), (_, document) => DocumentLine(document))
  var new = fresh.Line(bufnr())
  if new !=# ''
    add(lines, '  ' .. new)
  endif
  lines += ['Offers:'] + offers.Lines() + ['Messages:'] + mapnew(messages.log, (_, line) => '  ' .. line)
  if !empty(connection.said)
    lines += ['Server, on standard error:'] + mapnew(connection.said, (_, line) => '  ' .. line)
  endif
  return lines
enddef

export def Status()
  for line in Report()
    echo line
  endfor
enddef

# For other plugins and for tests.
export def State(): dict<any>
  return {
    running: connection.IsRunning(), connected: connection.isConnected, obstacle: connection.obstacle,
    offers: offers.list, documents: documents.List(), prompt: prompt.text, messages: messages.log,
  }
enddef

connection.Configure({
  notification: Notification, request: Request, ready: Ready, ended: ForgetServer,
  isWanted: () => !empty(documents.List()),
})
documents.Configure(others.TakeBack)
Listen()
