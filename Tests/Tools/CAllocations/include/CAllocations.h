// SPDX-License-Identifier: MIT
//
// Counts allocations: this file's malloc(3) and its kin stand before glibc's in a program that links it, for
// the libraries of that program too. Only programs that measure link it. Under a sanitizer it counts nothing.
#pragma once

#include <stdint.h>

/// How often the calling thread has asked for memory so far; what is given back is not counted.
uint64_t continuo_allocations(void);
