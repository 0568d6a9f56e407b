/* SPDX-License-Identifier: MIT */
/* TCP states. Open is a connection of which both sides have sent a SYN and an ACK, in whatever
 * order: that covers simultaneous open, and a handshake that never ends stays transitory. */
#include "router/node/tcp.h"

static bool is_closing(const struct flow_side *s, const struct flow_side *peer)
{
	return ((s->tcp | peer->tcp) & TCP_SENT_RST) || (s->tcp & peer->tcp & TCP_SENT_FIN);
}

void tcp_note(struct flow_side *s, struct flow_side *peer, uint8_t flags)
{
	if ((flags & (TCP_SYN | TCP_ACK)) == TCP_SYN && is_closing(s, peer))
		s->tcp = peer->tcp = 0; /* the same ports again: a new connection */
	if (flags & TCP_SYN)
		s->tcp |= TCP_SENT_SYN;
	else if (!(flags & TCP_RST))
		s->tcp |= TCP_SENT_SYN; /* it must have, before we saw it */
	if (flags & TCP_ACK && !(flags & TCP_RST))
		s->tcp |= TCP_SENT_ACK;
	if (flags & TCP_FIN)
		s->tcp |= TCP_SENT_FIN;
	if (flags & TCP_RST)
		s->tcp |= TCP_SENT_RST;
	unsigned timer = FLOW_TCP_SYN;
	if (is_closing(s, peer))
		timer = FLOW_TCP_TRANSITORY;
	else if ((s->tcp & peer->tcp & TCP_SENT_BOTH) == TCP_SENT_BOTH)
		timer = FLOW_TCP_OPEN;
	s->timer = peer->timer = timer & 15;
}

void tcp_track(struct flows *flows, uint32_t side, uint8_t flags)
{
	struct flow_side *s = flow_at(flows, side);
	uint8_t timer = s->timer;
	tcp_note(s, flow_peer(flows, side), flags);
	if (flows->timeout_ns[s->timer] < flows->timeout_ns[timer])
		flow_sooner(flows, side);
}
