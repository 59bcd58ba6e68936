// SPDX-License-Identifier: MIT
#pragma once

#include <glib.h>
#include <glib-unix.h>
