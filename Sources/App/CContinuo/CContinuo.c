/* SPDX-License-Identifier: MIT */
/* The header has no code of its own; the package manager wants one file. */
#include "continuo.h"
