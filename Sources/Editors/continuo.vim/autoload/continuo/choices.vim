" SPDX-License-Identifier: MIT
" A question with a list of answers, in the middle of the screen; only ever because of a command of the person's.
vim9script

import autoload 'continuo/messages.vim'
import autoload 'continuo/shown.vim'

# What is asked now, as it is shown.
export var asked: list<string> = []

def Filter(window: number, key: string): bool
  if key =~ '^[1-9]$'
    if str2nr(key) <= len(asked)
      popup_close(window, str2nr(key))
    endif
    return true
  endif
  return popup_filter_menu(window, key)
enddef

# Calls `Chosen` with the index of the answer; not at all if there is none.
export def Ask(question: string, answers: list<string>, Chosen: func(number))
  asked = mapnew(answers, (index, each) => printf('%d %s', index + 1, shown.Text(each)))
  if mode(1) !=# 'n'
    messages.Tell('give the command again in Normal mode')
    return
  endif
  if !has('popupwin')
    var number = inputlist([shown.Text(question)] + asked)
    if number > 0 && number <= len(answers)
      Chosen(number - 1)
    endif
    return
  endif
  popup_menu(asked, {
    title: ' ' .. shown.Text(question) .. ' ', maxwidth: max([20, &columns - 6]), maxheight: max([3, &lines - 6]),
    filter: Filter,
    callback: (_, number) => {
      if number > 0
        Chosen(number - 1)
      endif
    },
  })
enddef
