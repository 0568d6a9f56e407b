/* SPDX-License-Identifier: MIT */
/* What router.conf may say: its sections and keys, with their types, limits and defaults. */
#include <string.h>

#include "router/conf/reader.h"

#define S    1000000000ull /* in ns */
#define WEEK (S * 7 * 86400)
#define T    1000000000000 /* in bit/s */

#define FIELD(key, t, object, member) \
	.name = key, .type = &conf_type_##t, .at = offsetof(struct object, member)
#define NUMBER(key, t, object, member, least, most, def)                               \
	FIELD(key, t, object, member), .min = (least), .max = (most), .fallback = def, \
				       .example = def
#define BOOL(key, object, member, def) \
	FIELD(key, bool, object, member), .fallback = def, .example = def
#define WORD(key, object, member, list, def) \
	FIELD(key, word, object, member), .words = (list), .fallback = def
#define LIST(key, t, ex) .name = key, .type = &conf_type_##t, .many = true, .example = ex

/* ---- [router] ---- */

static const char *const zero_length_words[] = { "drop", "frame", NULL };

static const struct conf_key router_keys[] = {
	{ WORD("zero-length", conf, zero_length, zero_length_words, "drop") },
	{ BOOL("source-route", conf, source_route, "no") },
	{ NUMBER("icmp-errors", limit, conf, icmp_errors_per_s, 1, 1000000, "1000") },
	{ NUMBER("max-flows", u32, conf, max_flows, 64, 1 << 26, "1048576") },
	{ NUMBER("max-fragments", u32, conf, max_fragments, 1, 1 << 20, "4096") },
	{ NUMBER("fragment-timeout", time, conf, fragment_ns, S, 3600 * S, "30s") },
};

static int open_conf(struct conf_reader *r, const char *name, void **ret_object)
{
	(void)name;
	*ret_object = r->conf;
	return 0;
}

static const void *whole_conf(const struct conf *conf, size_t i)
{
	return i ? NULL : conf;
}

/* ---- [interface NAME] ---- */

static const char *const side_words[] = { "inside", "outside", NULL };
static const char *const vlan_words[] = { "keep", "pop", NULL };

static const struct conf_key interface_keys[] = {
	{ LIST("address", nic_addr, "192.168.1.1/24") },
	{ WORD("side", conf_nic, side, side_words, "inside") },
	{ FIELD("rate", rate, conf_nic, rate_bps), .min = 8000, .max = T, .fallback = "unlimited",
		.example = "100M" },
	{ NUMBER("mtu", u32, conf_nic, mtu, 68, 65535, "1500") },
	{ WORD("vlan", conf_nic, vlan, vlan_words, "keep") },
};

static int open_interface(struct conf_reader *r, const char *name, void **ret_object)
{
	struct conf *conf = r->conf;
	int old = conf_find_nic(conf, name);
	if (old >= 0) {
		conf_say(r, r->line, "LT-CONF-TWICE",
			"interface '%s' is described in line %u already", name,
			conf->nics[old].line);
		return lt_hint(
			r->err, "give one of the two another name, or make them one section");
	}
	if (conf->n_nics == CONF_MAX_NICS) {
		conf_say(r, r->line, "LT-CONF-LIMIT", "more than %d interfaces", CONF_MAX_NICS);
		return lt_hint(r->err, "remove some");
	}
	struct conf_nic *nic = conf_push(conf, &conf->nics, &conf->n_nics, sizeof(*nic));
	if (!nic)
		return conf_no_memory(r);
	nic->line = r->line;
	nic->name = lt_arena_strdup(&conf->arena, name);
	*ret_object = nic;
	return nic->name ? 0 : conf_no_memory(r);
}

static const void *nth_nic(const struct conf *conf, size_t i)
{
	return i < conf->n_nics ? &conf->nics[i] : NULL;
}

static const char *nic_name(const void *object)
{
	return ((const struct conf_nic *)object)->name;
}

/* ---- [routes] ---- */

static const struct conf_key routes_keys[] = {
	{ LIST("file", file, "routes.txt") },
	{ LIST("route", route, "192.0.2.0/24 203.0.113.1 eth1") },
};

/* ---- [nat] ---- */

static const char *const mapping_words[] = { "endpoint-independent", "symmetric", NULL };
static const char *const filtering_words[] = { "endpoint-independent", "address-dependent",
	"address-and-port-dependent", NULL };
static const char *const unknown_words[] = { "map", "drop", NULL };

static const struct conf_key nat_keys[] = {
	{ LIST("address", nat_addr, "203.0.113.1") },
	{ WORD("mapping", conf_nat, mapping, mapping_words, "endpoint-independent") },
	{ FIELD("filtering", word, conf_nat, filtering), .words = filtering_words },
	{ BOOL("hairpin", conf_nat, hairpin, "yes") },
	{ BOOL("keep-range", conf_nat, keep_range, "yes") },
	{ BOOL("keep-parity", conf_nat, keep_parity, "yes") },
	{ BOOL("refresh-inbound", conf_nat, refresh_inbound, "no") },
	{ WORD("unknown-protocols", conf_nat, unknown, unknown_words, "drop") },
	{ NUMBER("udp-timeout", time, conf_nat, udp_ns, S, WEEK, "300s") },
	{ NUMBER("tcp-established-timeout", time, conf_nat, tcp_established_ns, S, WEEK, "7440s") },
	{ NUMBER("tcp-transitory-timeout", time, conf_nat, tcp_transitory_ns, S, WEEK, "240s") },
	{ NUMBER("tcp-syn-timeout", time, conf_nat, tcp_syn_ns, S / 1000, WEEK, "6s") },
	{ NUMBER("icmp-timeout", time, conf_nat, icmp_ns, S, WEEK, "60s") },
	{ NUMBER("other-timeout", time, conf_nat, other_ns, S, WEEK, "300s") },
	{ NUMBER("max-mappings", u32, conf_nat, max_mappings, 64, 1 << 26, "1048576") },
	{ NUMBER(
		"max-host-mappings", limit, conf_nat, max_host_mappings, 1, 1 << 26, "unlimited") },
	{ LIST("forward", forward, "tcp 203.0.113.1:8080 -> 192.168.1.2:80") },
	{ FIELD("log", path, conf_nat, log), .example = "nat.log" },
};

static int open_nat(struct conf_reader *r, const char *name, void **ret_object)
{
	struct conf_nat *nat = &r->conf->nat;
	if (name) {
		nat->on = true;
		nat->line = r->line;
	}
	*ret_object = nat;
	return 0;
}

static const void *the_nat(const struct conf *conf, size_t i)
{
	return i || !conf->nat.on ? NULL : &conf->nat;
}

/* ---- [class NAME] ---- */

static const char *const queue_words[] = { "tail-drop", "codel", NULL };

static bool is_strict(const void *object)
{
	return ((const struct conf_class *)object)->strict;
}

static bool is_weighted(const void *object)
{
	return !is_strict(object);
}

static bool has_codel(const void *object)
{
	return ((const struct conf_class *)object)->queue == CONF_QUEUE_CODEL;
}

#define IF_STRICT   .applies = is_strict, .needs = "strict = yes"
#define IF_WEIGHTED .applies = is_weighted, .needs = "strict = no"
#define IF_CODEL    .applies = has_codel, .needs = "queue = codel"

static const struct conf_key class_keys[] = {
	{ LIST("dscp", dscps, "ef cs5 46") },
	{ LIST("content", apps, "rtp sip") },
	{ LIST("ports", ports, "udp/5060 tcp/5060-5061") },
	{ BOOL("default", conf_class, is_default, "no") },
	{ BOOL("strict", conf_class, strict, "no") },
	{ FIELD("rate", share, conf_class, rate), .min = 8000, .max = T, .example = "25%",
		IF_STRICT },
	{ NUMBER("burst", u32, conf_class, burst, 64, 1 << 30, "3000"), IF_STRICT },
	{ NUMBER("weight", u32, conf_class, weight, 1, 1000, "1"), IF_WEIGHTED },
	{ FIELD("queue", word, conf_class, queue), .words = queue_words },
	{ NUMBER("limit", u32, conf_class, limit, 1, 1 << 20, "1000") },
	{ NUMBER("target", time, conf_class, target_ns, 1000, S, "5ms"), IF_CODEL },
	{ NUMBER("interval", time, conf_class, interval_ns, 10000, 10 * S, "100ms"), IF_CODEL },
	{ BOOL("ecn", conf_class, ecn, "yes"), IF_CODEL },
};

static int open_class(struct conf_reader *r, const char *name, void **ret_object)
{
	struct conf *conf = r->conf;
	for (size_t i = 0; i < conf->n_classes; i++) {
		if (strcmp(conf->classes[i].name, name))
			continue;
		conf_say(r, r->line, "LT-CONF-TWICE", "class '%s' is described in line %u already",
			name, conf->classes[i].line);
		return lt_hint(
			r->err, "give one of the two another name, or make them one section");
	}
	if (conf->n_classes == CONF_MAX_CLASSES) {
		conf_say(r, r->line, "LT-CONF-LIMIT", "more than %d classes", CONF_MAX_CLASSES);
		return lt_hint(r->err, "make one of two that are served alike");
	}
	struct conf_class *class = &conf->classes[conf->n_classes++];
	class->line = r->line;
	class->name = lt_arena_strdup(&conf->arena, name);
	*ret_object = class;
	return class->name ? 0 : conf_no_memory(r);
}

static const void *nth_class(const struct conf *conf, size_t i)
{
	return i < conf->n_classes ? &conf->classes[i] : NULL;
}

static const char *class_name(const void *object)
{
	return ((const struct conf_class *)object)->name;
}

/* ---- all ---- */

#define KEYS(table) .keys = (table), .n_keys = LT_COUNT(table)

const struct conf_section conf_sections[] = {
	{ .name = "router", KEYS(router_keys), .open = open_conf, .object = whole_conf },
	{ .name = "interface",
		.named = true,
		KEYS(interface_keys),
		.open = open_interface,
		.object = nth_nic,
		.object_name = nic_name },
	{ .name = "routes", KEYS(routes_keys), .open = open_conf, .object = whole_conf },
	{ .name = "nat",
		KEYS(nat_keys),
		.open = open_nat,
		.finish = conf_finish_nat,
		.object = the_nat },
	{ .name = "class",
		.named = true,
		KEYS(class_keys),
		.open = open_class,
		.finish = conf_finish_class,
		.object = nth_class,
		.object_name = class_name },
};
const size_t conf_n_sections = LT_COUNT(conf_sections);

_Static_assert(LT_COUNT(conf_sections) <= CONF_MAX_SECTIONS, "CONF_MAX_SECTIONS");
_Static_assert(LT_COUNT(nat_keys) <= CONF_MAX_KEYS, "CONF_MAX_KEYS");
