/* SPDX-License-Identifier: MIT */
/* Static keys: off, on, off again, in every place and while threads run through them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

#include "leat/key.h"

LEAT_KEY(test_key_a);
LEAT_KEY(test_key_b);

static int first_place(void)
{
	return leat_key_on(test_key_a) ? 1 : 0;
}

static int second_place(void)
{
	int r = 10;
	if (leat_key_on(test_key_a))
		r += 1;
	if (leat_key_on(test_key_b))
		r += 2;
	return r;
}

static void switching_reaches_every_place_of_the_key_only(void **state)
{
	(void)state;
	struct leat_err err = { 0 };
	assert_int_equal(first_place(), 0);
	assert_int_equal(second_place(), 10);
	assert_int_equal(leat_key_set(&test_key_a, true, &err), 0);
	assert_int_equal(leat_key_set(&test_key_a, true, &err), 0);
	assert_int_equal(first_place(), 1);
	assert_int_equal(second_place(), 11);
	assert_int_equal(leat_key_set(&test_key_b, true, &err), 0);
	assert_int_equal(second_place(), 13);
	assert_int_equal(leat_key_set(&test_key_a, false, &err), 0);
	assert_int_equal(first_place(), 0);
	assert_int_equal(second_place(), 12);
	assert_int_equal(leat_key_set(&test_key_b, false, &err), 0);
	assert_int_equal(second_place(), 10);
}

static atomic_bool stop;
static atomic_long odd;

static void *run_through(void *arg)
{
	(void)arg;
	while (!stop) {
		int r = second_place();
		if (r != 10 && r != 12)
			odd++;
	}
	return NULL;
}

static void switching_under_running_threads_is_safe(void **state)
{
	(void)state;
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run_through, NULL), 0);
	for (int i = 0; i < 2000; i++)
		assert_int_equal(leat_key_set(&test_key_b, i % 2 == 0, NULL), 0);
	stop = true;
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(odd, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switching_reaches_every_place_of_the_key_only),
		cmocka_unit_test(switching_under_running_threads_is_safe),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
