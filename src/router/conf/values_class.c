/* SPDX-License-Identifier: MIT */
/* Values of classes: what they hold. */
#include <string.h>

#include "router/conf/reader.h"
#include "router/conf/words.h"
#include "router/node/app.h"

static int ports_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	struct conf_class *class = object;
	const char *rest = text, *word;
	size_t len;
	while (conf_word(&rest, &word, &len)) {
		struct conf_ports ports;
		if (len < 5 || word[3] != '/' || !conf_protocol_from(word, 3, &ports.protocol) ||
			!conf_ports_from(word + 4, len - 4, &ports.first, &ports.last))
			return conf_bad_value(r, key, text);
		if (class->n_ports == CONF_MAX_PORTS) {
			conf_say(r, r->line, "LT-CONF-LIMIT", "more than %d ranges of ports",
				CONF_MAX_PORTS);
			return lt_hint(r->err, "make ranges longer");
		}
		struct conf_ports *more =
			conf_push(r->conf, &class->ports, &class->n_ports, sizeof(*more));
		if (!more)
			return conf_no_memory(r);
		*more = ports;
	}
	return 0;
}

static void ports_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	const struct conf_class *class = object;
	if (!class->n_ports)
		return;
	lt_buf_addf(out, "%s =", key->name);
	for (size_t i = 0; i < class->n_ports; i++) {
		const struct conf_ports *p = &class->ports[i];
		lt_buf_addf(out, " %s/", conf_protocol_name(p->protocol));
		conf_print_range(p->first, p->last - p->first + 1u, out);
	}
	lt_buf_adds(out, "\n");
}

static int dscps_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	struct conf_class *class = object;
	const char *rest = text, *word;
	size_t len;
	while (conf_word(&rest, &word, &len)) {
		int dscp = conf_dscp_from(word, len);
		if (dscp < 0)
			return conf_bad_value(r, key, text);
		class->dscps |= 1ull << dscp;
	}
	return 0;
}

static void dscps_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	const struct conf_class *class = object;
	char buf[8];
	if (!class->dscps)
		return;
	lt_buf_addf(out, "%s =", key->name);
	for (unsigned dscp = 0; dscp < 64; dscp++)
		if (class->dscps >> dscp & 1)
			lt_buf_addf(out, " %s", conf_dscp_name(dscp, buf));
	lt_buf_adds(out, "\n");
}

static int apps_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	struct conf_class *class = object;
	const char *rest = text, *word;
	size_t len;
	while (conf_word(&rest, &word, &len)) {
		char name[16] = "";
		if (len < sizeof(name))
			memcpy(name, word, len);
		enum app app = app_from_name(name);
		if (app == APP_UNKNOWN || app == APP_COUNT)
			return conf_bad_value(r, key, text);
		class->apps |= 1u << app;
	}
	return 0;
}

static void apps_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	const struct conf_class *class = object;
	if (!class->apps)
		return;
	lt_buf_addf(out, "%s =", key->name);
	for (unsigned app = 0; app < APP_COUNT; app++)
		if (class->apps >> app & 1)
			lt_buf_addf(out, " %s", app_name((enum app)app));
	lt_buf_adds(out, "\n");
}

const struct conf_type conf_type_ports = { ports_parse, ports_print,
	"a list of ports with their protocols", 0 };
const struct conf_type conf_type_dscps = { dscps_parse, dscps_print,
	"a list of DiffServ code points", 0 };
const struct conf_type conf_type_apps = { apps_parse, apps_print,
	"a list of sip, rtp, rtcp, stun, dtls, ftp, ftp-data, http, tls, quic", 0 };
