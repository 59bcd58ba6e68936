" SPDX-License-Identifier: MIT
" Seconds that only go forward, to tell what came before what; and the time of day, for people.
vim9script

const BEGINNING = reltime()

export def Now(): float
  return reltimefloat(reltime(BEGINNING))
enddef

# The time of day, with the date where it is not today's; empty for what is no time.
export def Day(milliseconds: any): string
  if type(milliseconds) != v:t_number && type(milliseconds) != v:t_float
    return ''
  endif
  var moment = float2nr(milliseconds * 1.0 / 1000)
  var isToday = strftime('%Y-%m-%d', moment) ==# strftime('%Y-%m-%d')
  return strftime(isToday ? '%H:%M' : '%Y-%m-%d %H:%M', moment)
enddef
