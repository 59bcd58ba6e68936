" SPDX-License-Identifier: MIT
" Commands, and what wakes the rest. Plain Vim script, so that an old Vim can read it and say what it lacks.

" A Vim without expressions skips all of this.
if 1
  if !exists('g:loaded_continuo')
    let g:loaded_continuo = 1
    let s:cpo = &cpo
    set cpo&vim

    " Why nothing can be handed over in this Vim; empty where it can.
    function! s:Obstacle() abort
      if has('nvim')
        return 'this plugin is for Vim; continuo.nvim is the one for Neovim'
      endif
      if v:version < 900
        return 'Vim 9.0 or newer is needed, and this one is ' . v:version / 100 . '.' . v:version % 100
      endif
      for l:feature in ['job', 'channel', 'timers', 'vim9script']
        if !has(l:feature)
          return 'this Vim lacks +' . l:feature . ': install one that has it (Debian: vim or vim-gtk3, not vim-tiny)'
        endif
      endfor
      return ''
    endfunction

    function! s:Call(method, arguments) abort
      let l:obstacle = s:Obstacle()
      if l:obstacle ==# ''
        return call('continuo#' . a:method, a:arguments)
      endif
      echohl WarningMsg
      echomsg 'continuo: nothing is handed over: ' . l:obstacle
      echohl None
    endfunction

    " Where nobody looks, nothing is started but for a file.
    function! s:Greet() abort
      if has('ttyout') || has('gui_running')
        call continuo#Greet()
      endif
    endfunction

    function! s:Titles(lead, line, position) abort
      return s:Obstacle() ==# '' ? continuo#Titles(a:lead) : []
    endfunction

    command! -nargs=? -complete=customlist,s:Titles ContinuoResume call s:Call('Resume', [<q-args>])
    command! ContinuoOffers call s:Call('Offers', [])
    command! ContinuoChoose call s:Call('Choose', [])
    command! ContinuoCancel call s:Call('Cancel', [])
    command! ContinuoDismiss call s:Call('Dismiss', [])
    command! ContinuoJump call s:Call('Jump', [])
    command! ContinuoResolve call s:Call('Resolve', [])
    command! ContinuoStatus call s:Call('Status', [])
    command! ContinuoStart call s:Call('Start', [])
    command! ContinuoStop call s:Call('Stop', [])
    command! ContinuoHealth call s:Call('Health', [])

    if s:Obstacle() ==# ''
      augroup continuo
        autocmd!
        autocmd BufReadPre * call continuo#Reading(+expand('<abuf>'))
        autocmd BufReadPost * call continuo#Read(+expand('<abuf>'))
        autocmd BufNewFile * call continuo#New(+expand('<abuf>'))
        autocmd BufWritePost * call continuo#Written(+expand('<abuf>'), expand('<amatch>'))
        " Who begins without a file looks for what there is to continue.
        autocmd VimEnter * call s:Greet()
      augroup END
      if exists('v:vim_did_enter') && v:vim_did_enter
        call continuo#Adopt()
        call s:Greet()
      endif
    endif

    let &cpo = s:cpo
    unlet s:cpo
  endif
endif
