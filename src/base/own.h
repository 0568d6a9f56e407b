/* SPDX-License-Identifier: MIT */
/* Owned locals: a variable that frees what it holds when it leaves its scope, and the
 * two words that hand the thing on. Replaces goto-cleanup throughout. */
#ifndef BASE_OWN_H
#define BASE_OWN_H

#include <stdlib.h>
#include <unistd.h>

static inline void lt_freep(void *p)
{
	free(*(void **)p);
}

static inline void lt_closep(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#define LT_AUTO_FREE         __attribute__((cleanup(lt_freep)))
#define LT_AUTO_CLOSE        __attribute__((cleanup(lt_closep)))
#define LT_AUTO(done)        __attribute__((cleanup(done)))
#define LT_MUST_USE          __attribute__((warn_unused_result))
#define LT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define LT_UNUSED            __attribute__((unused))

#define LT_TAKE(p)                          \
	__extension__({                     \
		__typeof__(p) taken_ = (p); \
		(p) = NULL;                 \
		taken_;                     \
	})

#define LT_TAKE_FD(fd)             \
	__extension__({            \
		int taken_ = (fd); \
		(fd) = -1;         \
		taken_;            \
	})

#define LT_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
