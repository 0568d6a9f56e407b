/* SPDX-License-Identifier: MIT */
/* The checks of a whole configuration: they fail with line and fix, fill in what depends on other
 * sections, and note what is legal but perhaps not meant. Inside conf/ only. */
#ifndef ROUTER_CONF_CHECK_H
#define ROUTER_CONF_CHECK_H

#include "router/conf/reader.h"

int conf_check_nics(struct conf_reader *r);
int conf_check_routes(struct conf_reader *r);
int conf_check_nat(struct conf_reader *r);
int conf_check_classes(struct conf_reader *r);

bool conf_is_link_local(const struct prefix *p);

/* An address that a host can have: not a network's, nor a broadcast, multicast or loopback one. */
bool conf_is_host(const struct prefix *p);

#endif
