/* SPDX-License-Identifier: MIT */
/* Configurations from hostile text: what is taken is the same after being printed and read again,
 * and what is refused says where and what to do. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "router/conf/conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lt_err err = { 0 };
	struct conf *conf, *again;
	if (conf_parse((const char *)data, size, "r", &conf, &err) < 0) {
		assert(!strncmp(err.text, "r:", 2) && err.id[0] && err.hint[0]);
		return 0;
	}
	LT_AUTO_BUF struct lt_buf once = { 0 };
	LT_AUTO_BUF struct lt_buf twice = { 0 };
	conf_print(conf, &once);
	assert(!once.failed && conf->n_nics && conf->n_classes);
	assert(conf_parse(once.data, once.len, "r", &again, &err) == 0);
	conf_print(again, &twice);
	assert(once.len == twice.len && !memcmp(once.data, twice.data, once.len));
	conf_free(again);
	conf_free(conf);
	return 0;
}
