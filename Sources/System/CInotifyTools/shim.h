// SPDX-License-Identifier: MIT
#pragma once
#include <sys/inotify.h> /* the library only forward-declares struct inotify_event */
#include <inotifytools/inotifytools.h>
