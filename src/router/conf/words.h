/* SPDX-License-Identifier: MIT */
/* Pieces of values: words, protocols, ranges of ports. Inside conf/ only. */
#ifndef ROUTER_CONF_WORDS_H
#define ROUTER_CONF_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The next word of a list parted by blanks and commas; *text moves on. False at the end. */
bool conf_word(const char **text, const char **ret_word, size_t *ret_len);

/* "tcp", "udp" */
const char *conf_protocol_name(uint8_t protocol);
bool conf_protocol_from(const char *text, size_t len, uint8_t *ret);

/* "80" or "5000-5100", 1 to 65535; false: it is neither. */
bool conf_ports_from(const char *text, size_t len, uint16_t *ret_first, uint16_t *ret_last);

void conf_print_range(uint16_t first, unsigned n, struct lt_buf *out);

/* "ef", "af41", "cs5", "le" or a number; -1: none of these */
int conf_dscp_from(const char *text, size_t len);
const char *conf_dscp_name(unsigned dscp, char buf[8]);

#endif
