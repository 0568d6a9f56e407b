/* SPDX-License-Identifier: MIT */
/* The cancel flag and its descriptor. */
#include "lib/cancel.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/own.h"
#include "lib/err.h"

int leat_cancel_new(struct leat_cancel **ret_cancel, struct leat_err *err)
{
	LT_AUTO_FREE struct leat_cancel *c = calloc(1, sizeof(*c));
	if (!c)
		return LEAT_FAIL_MEM(err);
	c->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->fd < 0)
		return LEAT_FAIL(err, -errno, "LEAT-CANCEL-FD", "cannot make an eventfd: %s",
			strerror(errno));
	*ret_cancel = LT_TAKE(c);
	return 0;
}

void leat_cancel_free(struct leat_cancel *cancel)
{
	if (!cancel)
		return;
	close(cancel->fd);
	free(cancel);
}

void leat_cancel_now(struct leat_cancel *cancel)
{
	int saved = errno; /* may be a signal handler */
	if (!sync_xchg(&cancel->raised, 1)) {
		uint64_t one = 1;
		ssize_t n = write(cancel->fd, &one, sizeof(one));
		(void)n; /* the counter was 0: it cannot be full */
	}
	errno = saved;
}

void leat_cancel_reset(struct leat_cancel *cancel)
{
	uint64_t n;
	if (read(cancel->fd, &n, sizeof(n)) == (ssize_t)sizeof(n))
		sync_store(&cancel->raised, 0);
}

bool leat_cancel_raised(const struct leat_cancel *cancel)
{
	return sync_load_acquire(&((struct leat_cancel *)cancel)->raised);
}

int leat_cancel_fd(const struct leat_cancel *cancel)
{
	return cancel->fd;
}
