/* SPDX-License-Identifier: MIT */
/* What a flow talks, packet by packet, and the class that follows from it. */
#include "router/node/class.h"

#include <stdlib.h>
#include <string.h>

#include "router/node/class_app.h"

#define LEAT_APP(id, file) extern const struct class_app class_##file;
#include "router/node/apps.def"
#undef LEAT_APP

const struct class_app *const class_apps[APP_COUNT] = {
#define LEAT_APP(id, file) [APP_##id] = &class_##file,
#include "router/node/apps.def"
#undef LEAT_APP
};

_Static_assert(APP_COUNT <= 16, "class_flow.guess has four bits for it");

const char *app_name(enum app app)
{
	return app == APP_UNKNOWN ? "unknown" : class_apps[app]->name;
}

enum app app_from_name(const char *name)
{
	unsigned app = 0;
	while (app < APP_COUNT && strcmp(app_name((enum app)app), name))
		app++;
	return (enum app)app;
}

void class_flow_is(struct class_flow *flow, enum app app)
{
	const struct class_app *a = class_apps[app];
	flow->app = (uint8_t)app;
	flow->guess = 0;
	if (a && !a->open && !a->teaches)
		flow->looks = CLASS_LOOKS;
}

/* The first application that the packet may be of. */
static enum app match(
	const struct class_packet *p, enum class_verdict *ret_verdict, uint8_t *ret_mark)
{
	bool tcp = p->proto == IPPROTO_TCP;
	for (unsigned app = 1; app < APP_COUNT; app++) {
		const struct class_app *a = class_apps[app];
		if (!(tcp ? a->tcp : a->udp))
			continue;
		*ret_mark = 0;
		*ret_verdict = a->check(p, ret_mark);
		if (*ret_verdict != CLASS_NO)
			return (enum app)app;
	}
	*ret_verdict = CLASS_NO;
	return APP_UNKNOWN;
}

/* Whether enough packets in a row, with this one, make the same guess. */
static bool guess_is_proven(struct class_flow *flow, enum app app, uint8_t mark)
{
	unsigned row = flow->guess & 15;
	if (flow->guess >> 4 != app || (uint8_t)(flow->mark + class_apps[app]->step) != mark)
		row = 0;
	flow->guess = (uint8_t)(app << 4 | (row + 1));
	flow->mark = mark;
	return row + 1 >= CLASS_IN_A_ROW;
}

static bool look(struct class_flow *flow, const struct class_packet *p)
{
	enum class_verdict verdict;
	uint8_t mark;
	enum app app = match(p, &verdict, &mark);
	const struct class_app *a = class_apps[app];
	if (verdict == CLASS_MAYBE && !guess_is_proven(flow, app, mark))
		verdict = CLASS_NO;
	if (!a || !a->free)
		flow->looks++;
	if (verdict == CLASS_NO || app == flow->app)
		return false;
	/* what may come first in a flow does not replace what was found in it */
	if (flow->app && (a->open || !class_apps[flow->app]->open))
		return false;
	class_flow_is(flow, app);
	return true;
}

bool class_look(
	struct class_flow *flow, const struct class_packet *p, struct class_lesson *ret_lesson)
{
	ret_lesson->n = 0;
	bool is_new = false;
	if (!flow->app || !class_apps[flow->app]->teaches)
		is_new = look(flow, p);
	if (flow->app && class_apps[flow->app]->learn)
		class_apps[flow->app]->learn(p, ret_lesson);
	return is_new;
}

void class_teach(struct class_lesson *lesson, const struct addr *addr, unsigned port, uint8_t proto,
	enum app app)
{
	if (lesson->n == CLASS_LESSONS || !port || port > 65535)
		return;
	lesson->endpoints[lesson->n++] = (struct class_endpoint){
		.addr = *addr, .port = (uint16_t)port, .proto = proto, .app = (uint8_t)app
	};
}

/* ---- classes ---- */

int class_map_init(struct class_map *map, const struct conf *conf, struct lt_err *err)
{
	*map = (struct class_map){ .other = (uint8_t)conf->default_class,
		.tcp_ports = malloc(65536),
		.udp_ports = malloc(65536) };
	if (!map->tcp_ports || !map->udp_ports)
		return lt_fail_mem(err);
	memset(map->by_dscp, CONF_NO_CLASS, sizeof(map->by_dscp));
	memset(map->by_app, CONF_NO_CLASS, sizeof(map->by_app));
	memset(map->tcp_ports, CONF_NO_CLASS, 65536);
	memset(map->udp_ports, CONF_NO_CLASS, 65536);
	for (unsigned i = 0; i < conf->n_classes; i++) {
		const struct conf_class *class = &conf->classes[i];
		for (unsigned dscp = 0; dscp < 64; dscp++)
			if (class->dscps >> dscp & 1)
				map->by_dscp[dscp] = (uint8_t)i;
		for (unsigned app = 0; app < APP_COUNT; app++)
			if (class->apps >> app & 1)
				map->by_app[app] = (uint8_t)i;
		for (size_t k = 0; k < class->n_ports; k++) {
			const struct conf_ports *r = &class->ports[k];
			uint8_t *ports =
				r->protocol == IPPROTO_TCP ? map->tcp_ports : map->udp_ports;
			memset(ports + r->first, (int)i, (size_t)r->last - r->first + 1);
		}
		map->by_content = map->by_content || class->apps;
		map->by_ports = map->by_ports || class->n_ports;
	}
	return 0;
}

void class_map_done(struct class_map *map)
{
	free(map->tcp_ports);
	free(map->udp_ports);
	map->tcp_ports = map->udp_ports = NULL;
}

unsigned class_of_flow(
	const struct class_map *map, enum app app, uint8_t proto, uint16_t sport, uint16_t dport)
{
	const uint8_t *ports = proto == IPPROTO_TCP ? map->tcp_ports : map->udp_ports;
	unsigned class = map->by_app[app];
	if (class == CONF_NO_CLASS && (proto == IPPROTO_TCP || proto == IPPROTO_UDP)) {
		class = ports[dport];
		if (class == CONF_NO_CLASS)
			class = ports[sport];
	}
	return class == CONF_NO_CLASS ? map->other : class;
}
