" SPDX-License-Identifier: MIT
" `:ContinuoHealth`: what is there, what is missing, and what to do about it.
vim9script

import autoload 'continuo/clock.vim'
import autoload 'continuo/connection.vim'
import autoload 'continuo/documents.vim'
import autoload 'continuo/names.vim'
import autoload 'continuo/options.vim'
import autoload 'continuo/shown.vim'
import autoload 'continuo/stamps.vim'

const PATIENCE = 5.0

# The exit code of a program; -1 if it does not end.
def Run(command: list<string>): number
  try
    var job = job_start(command, {in_io: 'null', out_io: 'null', err_io: 'null', env: options.All().env})
    var until = clock.Now() + PATIENCE
    while job_status(job) ==# 'run' && clock.Now() < until
      sleep! 10m
    endwhile
    return job_info(job).exitval
  catch
    return -1
  endtry
enddef

def Program(): list<string>
  var command = options.All().cmd
  if executable(command[0]) != 1
    return ['ERROR ' .. command[0] .. ' is not on PATH: install Continuo, or say where it is with g:continuo.cmd'
      .. connection.Cage()]
  endif
  var lines = ['OK ' .. exepath(command[0]) .. ' is installed']
  if get(command, 1, '') !=# 'serve'
    return lines
  endif
  return add(lines, Run([command[0], 'serve', '--help']) == 0 ? 'OK it serves editors'
    : 'ERROR ' .. command[0] .. ' knows no `serve`: install a newer Continuo')
enddef

def Server(): string
  if connection.obstacle !=# ''
    return 'ERROR ' .. connection.obstacle
  endif
  if !connection.IsRunning()
    return 'INFO the server is not running; it starts with the first file, or by :ContinuoStart'
  endif
  return connection.isConnected ? 'OK the server runs and is connected to the agent'
    : 'WARNING the server runs, but cannot reach the agent: look at `continuo status` in a shell'
enddef

def Documents(): list<string>
  var list = documents.List()
  if empty(list)
    return ['INFO no file is open']
  endif
  return mapnew(list, (_, document) => {
    var name = names.Shown(document.path)
    if get(document.standing, 'synced', false)
      return 'OK ' .. name .. ' is in ' .. get(document.standing, 'folder', 'a synced folder')
    endif
    return 'INFO ' .. name .. ': ' .. get(document.standing, 'reason', 'the server has not told yet')
  })
enddef

def Vim(): list<string>
  var lines = ['OK Vim ' .. v:version / 100 .. '.' .. v:version % 100 .. ' has what is needed']
  if !has('popupwin')
    add(lines, 'WARNING this Vim lacks +popupwin: offers are told as messages, and hidden buffers are not saved')
  endif
  if !stamps.IsAble()
    add(lines, 'ERROR the program stat is missing, by which a file is known: nothing is saved by itself. '
      .. 'Install coreutils')
  endif
  return lines
enddef

export def Lines(): list<string>
  var lines = ['continuo'] + Vim() + Program() + [Server()] + Documents()
  lines += mapnew(options.faults, (_, fault) => 'ERROR ' .. fault)
  if !options.All().autosave
    add(lines, 'INFO autosave is off: what is not saved is not handed over, and the other device is told so')
  endif
  return map(lines, (_, line) => shown.Text(line))
enddef

export def Show()
  var lines = Lines()
  botright new
  setlocal buftype=nofile bufhidden=wipe noswapfile nobuflisted
  setline(1, lines)
  execute 'resize ' .. min([len(lines) + 1, &lines / 2])
  setlocal nomodifiable
enddef
