/* SPDX-License-Identifier: MIT */
/* A configuration as the file that would say the same, with nothing left to defaults. */
#include "router/conf/reader.h"

void conf_print(const struct conf *conf, struct lt_buf *out)
{
	for (size_t s = 0; s < conf_n_sections; s++) {
		const struct conf_section *section = &conf_sections[s];
		const void *object;
		for (size_t i = 0; (object = section->object(conf, i)); i++) {
			lt_buf_addf(out, "%s[%s%s%s]\n", s || i ? "\n" : "", section->name,
				section->named ? " " : "",
				section->named ? section->object_name(object) : "");
			for (size_t k = 0; k < section->n_keys; k++) {
				const struct conf_key *key = &section->keys[k];
				if (!key->applies || key->applies(object))
					key->type->print(key, object, out);
			}
		}
	}
}
