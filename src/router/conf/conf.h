/* SPDX-License-Identifier: MIT */
/* The configuration of a router as data: what router.conf says (leat-router.conf(5)), every value
 * checked and every default filled in. */
#ifndef ROUTER_CONF_CONF_H
#define ROUTER_CONF_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "router/fib/fib.h"

#define CONF_MAX_NICS      256
#define CONF_MAX_ADDRS     16    /* of one interface */
#define CONF_MAX_ROUTES    10000 /* beside those in files */
#define CONF_MAX_CLASSES   8
#define CONF_MAX_PORTS     256 /* ranges of one class */
#define CONF_MAX_NAT_ADDRS 256
#define CONF_MAX_FORWARDS  4096
#define CONF_NO_CLASS      0xff

enum conf_side {
	CONF_SIDE_INSIDE,
	CONF_SIDE_OUTSIDE
};
enum conf_vlan {
	CONF_VLAN_KEEP,
	CONF_VLAN_POP
};
enum conf_zero_length {
	CONF_ZERO_LENGTH_DROP,
	CONF_ZERO_LENGTH_FRAME
};
enum conf_mapping {
	CONF_MAPPING_EIM,
	CONF_MAPPING_SYMMETRIC
};
enum conf_filtering {
	CONF_FILTERING_NONE,    /* endpoint-independent */
	CONF_FILTERING_ADDRESS, /* address-dependent */
	CONF_FILTERING_PORT,    /* address-and-port-dependent: symmetric mapping has no other */
};
enum conf_unknown {
	CONF_UNKNOWN_MAP,
	CONF_UNKNOWN_DROP
};
enum conf_queue {
	CONF_QUEUE_TAIL_DROP,
	CONF_QUEUE_CODEL
};

struct conf_addr {
	struct prefix prefix; /* own address and length of its network: bits beyond it are kept */
	unsigned line;
};

struct conf_nic {
	const char *name;
	unsigned line;
	enum conf_side side;
	uint64_t rate_bps; /* 0: no limit, nothing is queued */
	uint32_t mtu;      /* bytes of an IP packet */
	enum conf_vlan vlan;
	const struct conf_addr *addrs;
	size_t n_addrs;
};

struct conf_route {
	unsigned line;
	struct prefix prefix;
	struct fib_hop hop;
};

struct conf_routes_file {
	unsigned line;
	const char *text; /* as given: a relative name begins where router.conf lies */
	const char *path; /* joined */
};

struct conf_forward {
	unsigned line;
	uint8_t protocol; /* IPPROTO_TCP, IPPROTO_UDP */
	uint32_t external, inside;
	uint16_t external_port, inside_port;
	uint16_t n_ports; /* from both ports on */
};

struct conf_nat {
	bool on; /* there is a [nat] section; the rest means something only then */
	unsigned line;
	const uint32_t *addrs; /* external, in the host's byte order */
	size_t n_addrs;
	enum conf_mapping mapping;
	enum conf_filtering filtering;
	bool hairpin;
	bool keep_range;  /* external port on the same side of 1024 */
	bool keep_parity; /* external port even where the inside one is */
	bool refresh_inbound;
	enum conf_unknown unknown; /* protocols other than TCP, UDP, ICMP */
	uint64_t udp_ns, tcp_established_ns, tcp_transitory_ns, tcp_syn_ns, icmp_ns, other_ns;
	uint32_t max_mappings;      /* of all hosts */
	uint32_t max_host_mappings; /* of one inside address; 0: no limit */
	const struct conf_forward *forwards;
	size_t n_forwards;
	const char *log; /* NULL: none; a relative name lies in the output directory */
};

struct conf_ports {
	uint8_t protocol; /* IPPROTO_TCP, IPPROTO_UDP */
	uint16_t first, last;
};

/* A rate, absolute or as a share of the NIC's. */
struct conf_rate {
	uint64_t bps; /* where share is 0 */
	uint32_t share_ppm;
};

static inline uint64_t conf_rate_on(const struct conf_rate *rate, uint64_t nic_bps)
{
	if (!rate->share_ppm)
		return rate->bps;
	return (uint64_t)((unsigned __int128)nic_bps * rate->share_ppm / 1000000);
}

struct conf_class {
	const char *name;
	unsigned line;
	/* which packets */
	uint64_t dscps; /* bit D: code point D */
	uint32_t apps;  /* bit A: enum app A */
	const struct conf_ports *ports;
	size_t n_ports;
	bool is_default; /* and what no class claims */
	/* what becomes of them */
	bool strict;           /* served first, within rate and burst; weight means nothing */
	struct conf_rate rate; /* of a strict one */
	uint32_t burst;        /* bytes; of a strict one */
	uint32_t weight;
	enum conf_queue queue;
	uint32_t limit;                  /* packets */
	uint64_t target_ns, interval_ns; /* of CoDel, as ecn */
	bool ecn;
};

struct conf {
	const char *name; /* of the file, as given */
	struct conf_nic *nics;
	size_t n_nics;
	struct conf_route *routes;
	size_t n_routes;
	struct conf_routes_file *routes_files;
	size_t n_routes_files;
	struct conf_nat nat;
	struct conf_class classes[CONF_MAX_CLASSES];
	size_t n_classes;       /* at least 1 */
	unsigned default_class; /* the one of what no class claims */
	/* [router] */
	enum conf_zero_length zero_length; /* IP total length 0: drop, or as long as the frame */
	bool source_route;                 /* forward packets with source route options */
	uint32_t icmp_errors_per_s;        /* 0: no limit */
	uint32_t max_flows, max_fragments;
	uint64_t fragment_ns;
	struct lt_arena arena;
	struct lt_buf notes; /* one line each: legal, but perhaps not what is meant */
};

/* Reads and checks a configuration; "-" is standard input.
 * Errors: LT-CONF-*, naming file, line and fix. */
int conf_load(const char *path, struct conf **ret_conf, struct lt_err *err);

/* The same from memory; `name` is what errors call it and where relative paths begin. */
int conf_parse(
	const char *text, size_t len, const char *name, struct conf **ret_conf, struct lt_err *err);
void conf_free(struct conf *conf);

/* The effective configuration in the same format, defaults included: reading it gives the same
 * configuration. */
void conf_print(const struct conf *conf, struct lt_buf *out);

/* The route table that the configuration asks for: networks and addresses of the interfaces,
 * routes, and the routes files. Hops name interfaces by their place in conf->nics. */
int conf_fib(const struct conf *conf, struct fib **ret_fib, struct lt_err *err);

/* All of `leat-router --check`: reads, checks and loads everything that the file names, and adds
 * the effective configuration to `ret_text`, with what is worth a look as comments in front. */
int conf_check(const char *path, struct lt_buf *ret_text, struct lt_err *err);

/* The interface of that name; -1: there is none. */
int conf_find_nic(const struct conf *conf, const char *name);

#endif
