/* SPDX-License-Identifier: MIT */
/* The same with keys that are variables, as on machines whose code is not patched. */
#define LEAT_KEY_PLAIN
#include "test_key.c"
