/* SPDX-License-Identifier: MIT */
/* Static keys: a branch that costs one no-op while it is off and one jump while it is on, for
 * checks and traces that are switched seldom. On x86-64 and aarch64 switching patches the code;
 * elsewhere, or with LEAT_KEY_PLAIN defined, a branch reads a variable.
 *
 * A key and its branches live in one binary (the program, or one shared object). */
#ifndef LEAT_KEY_H
#define LEAT_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include <leat/base.h>

LEAT_BEGIN_DECLS

struct leat_key {
	int on; /* read with leat_key_on() */
};

/* One branch; written by the compiler, relative so that it needs no relocation. */
struct leat_key_site {
	int32_t code, target; /* from the address of this field */
	int64_t key;          /* likewise */
};

/* Defines a key, off; at file scope. Its name is unique in the binary. */
#define LEAT_KEY(name)                                         \
	extern struct leat_key name __asm__("leat_key_" #name) \
		__attribute__((visibility("hidden")));         \
	__attribute__((used)) struct leat_key name = { 0 }
/* Makes a key that another file defines known. */
#define LEAT_KEY_EXTERN(name)                                                                    \
	extern struct leat_key name __asm__("leat_key_" #name) __attribute__((visibility("hidde" \
											 "n")))

/* ThreadSanitizer must see who reads and writes the state: it gets the plain branch. */
#if defined(__SANITIZE_THREAD__) && !defined(LEAT_KEY_PLAIN)
#define LEAT_KEY_PLAIN 1
#elif defined(__has_feature) && !defined(LEAT_KEY_PLAIN)
#if __has_feature(thread_sanitizer)
#define LEAT_KEY_PLAIN 1
#endif
#endif

#if !defined(LEAT_KEY_PLAIN) && defined(__x86_64__) && defined(__LP64__)
#define LEAT_KEY_NOP ".balign 8\n1: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
#elif !defined(LEAT_KEY_PLAIN) && defined(__aarch64__)
#define LEAT_KEY_NOP "1: nop\n"
#endif

#ifdef LEAT_KEY_NOP
/* Whether the key is on: true or false, without reading it. */
#define leat_key_on(name)                                                   \
	__extension__({                                                     \
		__label__ on_;                                              \
		bool yes_ = false;                                          \
		__asm__ goto(LEAT_KEY_NOP ".pushsection leat_keys, \"a\"\n" \
					  ".balign 8\n"                     \
					  ".long 1b - .\n"                  \
					  ".long %l[on_] - .\n"             \
					  ".quad leat_key_" #name " - .\n"  \
					  ".popsection\n"                   \
			     :                                              \
			     :                                              \
			     :                                              \
			     : on_);                                        \
		if (0) {                                                    \
		on_:                                                        \
			yes_ = true;                                        \
		}                                                           \
		yes_;                                                       \
	})
extern const struct leat_key_site __start_leat_keys[] __attribute__((weak, visibility("hidden")));
extern const struct leat_key_site __stop_leat_keys[] __attribute__((weak, visibility("hidden")));
#define LEAT_KEY_SITES __start_leat_keys, __stop_leat_keys
#else
#define leat_key_on(name) (__builtin_expect(__atomic_load_n(&(name).on, __ATOMIC_RELAXED), 0) != 0)
#define LEAT_KEY_SITES    (const struct leat_key_site *)0, (const struct leat_key_site *)0
#endif

/* Behind leat_key_set(). */
LEAT_API int leat_key_switch(struct leat_key *key, bool on, const struct leat_key_site *begin,
	const struct leat_key_site *end, struct leat_err *err);

/* Switches a key on or off in this binary; it has taken effect in every thread on return.
 * **Threads:** any, one at a time inside. **Blocks:** on other switches.
 * **Errors:** LEAT-KEY-PATCH: the system does not let code be patched, nothing has changed. */
static inline int leat_key_set(struct leat_key *key, bool on, struct leat_err *err)
{
	return leat_key_switch(key, on, LEAT_KEY_SITES, err);
}

LEAT_END_DECLS

#endif
