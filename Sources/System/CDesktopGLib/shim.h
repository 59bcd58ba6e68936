// SPDX-License-Identifier: MIT
#pragma once
#include <gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <glib.h>
