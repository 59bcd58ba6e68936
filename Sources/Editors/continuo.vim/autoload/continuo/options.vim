" SPDX-License-Identifier: MIT
" What the person has chosen in `g:continuo`, completed; read when it is first needed.
vim9script

const DEFAULTS = {
  cmd: ['continuo', 'serve', '--stdio'],
  env: {},
  app: 'org.vim.vim',
  autosave: true,
  prompt: true,
  keys: {continue: '<leader>ch', dismiss: '<leader>cd'},
}

var read: dict<any> = {}

# What is wrong in `g:continuo`, as sentences.
export var faults: list<string> = []

def Fits(name: string, value: any): bool
  if name ==# 'prompt'
    return index([true, false, 1, 0, 'notify'], value) >= 0
  endif
  if name ==# 'autosave'
    return type(value) == v:t_bool || type(value) == v:t_number
  endif
  if name ==# 'cmd'
    return type(value) == v:t_string && value !=# ''
      || type(value) == v:t_list && !empty(value) && empty(filter(copy(value), (_, each) => type(each) != v:t_string))
  endif
  return type(value) == type(DEFAULTS[name])
enddef

def Complete(): dict<any>
  var found: dict<any> = deepcopy(DEFAULTS)
  var given: any = get(g:, 'continuo', {})
  if type(given) != v:t_dict
    add(faults, 'g:continuo is no dictionary: :help continuo-vim-settings')
    return found
  endif
  for [name, value] in items(given)
    if !has_key(DEFAULTS, name)
      add(faults, 'g:continuo has a member that means nothing: ' .. name)
    elseif !Fits(name, value)
      add(faults, 'g:continuo.' .. name .. ' is of the wrong type: :help continuo-vim-settings')
    elseif name ==# 'keys'
      extend(found.keys, filter(copy(value), (key, each) => has_key(DEFAULTS.keys, key) && type(each) == v:t_string))
    else
      found[name] = value
    endif
  endfor
  if type(found.cmd) == v:t_string
    found.cmd = [found.cmd, 'serve', '--stdio']
  endif
  return found
enddef

export def All(): dict<any>
  if empty(read)
    read = Complete()
  endif
  return read
enddef
