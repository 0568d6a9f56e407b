/* SPDX-License-Identifier: MIT */
/* The kinds of traffic. Each flow of one goes through its conversation step by step; packets that a
 * flow does not get to send, because answers are not wanted, are steps passed over. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "capture/capture.h"
#include "router/io/bytes.h"

enum {
	UDP_HEAD = 14 + 20 + 8,
	TCP_HEAD = 14 + 20 + 20,
	SIP_PORT = 5060,
	FTP_CONTROL = 10, /* packets of its dialogue */
	RTP_HEAD = 12,
	RTP_PAYLOAD = 160,   /* 20 ms of G.711 */
	RTCP_EVERY = 250,    /* 5 s */
	CALL_PACKETS = 3000, /* half a minute both ways */
};

static void fill(struct capture_packet *packet, uint32_t len)
{
	packet->frame.payload_len = len < CAPTURE_PAYLOAD_MAX ? len : CAPTURE_PAYLOAD_MAX;
}

static void text(struct capture_packet *packet, const char *fmt, ...) LT_PRINTF(2, 3);

static void text(struct capture_packet *packet, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf((char *)packet->payload, sizeof(packet->payload), fmt, ap);
	va_end(ap);
	packet->frame.payload_len = n > 0 ? (size_t)n : 0;
}

static uint32_t payload_of(uint32_t size, uint32_t head)
{
	return size > head ? size - head : 0;
}

static void make_udp(struct capture_flow *flow, uint32_t size, struct capture_packet *packet)
{
	packet->frame.protocol = FRAME_UDP;
	packet->inbound = flow->step % 2;
	fill(packet, payload_of(size, UDP_HEAD));
}

/* A segment of the connection with `port` inside, in either direction; counts its bytes. */
static void segment(struct capture_flow *flow, struct capture_packet *packet, uint8_t flags)
{
	struct frame *frame = &packet->frame;
	frame->protocol = FRAME_TCP;
	frame->flags = flags;
	frame->window = 65535;
	uint32_t *mine = packet->inbound ? &flow->ack : &flow->seq;
	frame->seq = *mine;
	frame->ack = packet->inbound ? flow->seq : flow->ack;
	if (!(flags & FRAME_ACK))
		frame->ack = 0;
	*mine += (uint32_t)frame->payload_len + !!(flags & (FRAME_SYN | FRAME_FIN));
}

/* The three packets that open a connection. True: this was one of them. */
static bool opening(struct capture_flow *flow, uint32_t step, struct capture_packet *packet)
{
	if (step > 2)
		return false;
	packet->inbound = step == 1;
	if (step == 0) {
		flow->seq = flow->call;
		flow->ack = flow->call * 2654435761U;
	}
	segment(flow, packet,
		step == 0           ? FRAME_SYN
			: step == 1 ? FRAME_SYN | FRAME_ACK
				    : FRAME_ACK);
	return true;
}

static void make_tcp(struct capture_flow *flow, uint32_t size, struct capture_packet *packet)
{
	if (opening(flow, flow->step, packet))
		return;
	packet->inbound = flow->step % 2;
	fill(packet, payload_of(size, TCP_HEAD));
	segment(flow, packet, FRAME_ACK | FRAME_PSH);
}

/* Asked once, answered by ten full segments, each second of which is acknowledged. */
static void make_web(struct capture_flow *flow, uint32_t size, struct capture_packet *packet)
{
	(void)size;
	if (opening(flow, flow->step, packet))
		return;
	unsigned turn = (flow->step - 3) % 16;
	packet->inbound = turn % 3 != 0;
	if (turn == 0 && flow->outside_port == 443) {
		static const char hello[] = "\x16\x03\x01\x02\0\1\0\1\xfc\x03\x03";
		memset(packet->payload, (int)flow->call, 517);
		memcpy(packet->payload, hello, sizeof(hello) - 1);
		fill(packet, 517);
	} else if (turn == 0) {
		text(packet, "GET /%x HTTP/1.1\r\nHost: h%x.example\r\nUser-Agent: leat\r\n\r\n",
			flow->step, flow->call);
	} else if (turn == 1 && flow->outside_port != 443) {
		text(packet, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
		fill(packet, 1460);
	} else if (packet->inbound) {
		fill(packet, 1460);
	}
	segment(flow, packet, packet->frame.payload_len ? FRAME_ACK | FRAME_PSH : FRAME_ACK);
}

static void dotted(char *to, size_t size, uint32_t address, char dot)
{
	snprintf(to, size, "%u%c%u%c%u%c%u", address >> 24, dot, address >> 16 & 255, dot,
		address >> 8 & 255, dot, address & 255);
}

/* The dialogue of the control connection; false: it is over. */
static bool ftp_control(struct capture_flow *flow, uint32_t step, struct capture_packet *packet)
{
	static const char *const lines[] = { "220 leat\r\n", "USER anonymous\r\n", "331 and?\r\n",
		"PASS leat@\r\n", "230 in\r\n", "TYPE I\r\n", "200 binary\r\n", "PASV\r\n" };
	char address[20];
	if (step >= FTP_CONTROL)
		return false;
	packet->inbound = step % 2 == 0;
	dotted(address, sizeof(address), flow->outside, ',');
	if (step < LT_COUNT(lines))
		text(packet, "%s", lines[step]);
	else if (packet->inbound)
		text(packet, "227 Entering Passive Mode (%s,%u,%u)\r\n", address,
			flow->outside_data >> 8, flow->outside_data & 255);
	else
		text(packet, "RETR file%x\r\n", flow->call);
	segment(flow, packet, FRAME_ACK | FRAME_PSH);
	return true;
}

/* The data connection, step by step: its numbers follow from how far it is. */
static void ftp_data(struct capture_flow *flow, uint32_t step, struct capture_packet *packet)
{
	uint32_t before = step < 3 ? 0 : (step - 2) / 2; /* segments of data */
	struct capture_flow data = {
		.seq = ~flow->call + (step > 0),
		.ack = ~flow->call * 2654435761U + (step > 1) + before * 1460,
	};
	packet->word = "ftp-data";
	packet->inside_port = flow->inside_data;
	packet->outside_port = flow->outside_data;
	packet->inbound = step % 2;
	if (step >= 3 && packet->inbound)
		fill(packet, 1460);
	segment(&data, packet,
		step == 0                 ? FRAME_SYN
			: step == 1       ? FRAME_SYN | FRAME_ACK
			: packet->inbound ? FRAME_ACK | FRAME_PSH
					  : FRAME_ACK);
}

static void make_ftp(struct capture_flow *flow, uint32_t size, struct capture_packet *packet)
{
	(void)size;
	if (opening(flow, flow->step, packet))
		return;
	if (!ftp_control(flow, flow->step - 3, packet))
		ftp_data(flow, flow->step - 3 - FTP_CONTROL, packet);
}

static void sip(struct capture_flow *flow, struct capture_packet *packet, const char *start,
	const char *method, bool media)
{
	char inside[20], outside[20], sdp[200] = "";
	dotted(inside, sizeof(inside), flow->inside, '.');
	dotted(outside, sizeof(outside), flow->outside, '.');
	const char *mine = packet->inbound ? outside : inside;
	if (media)
		snprintf(sdp, sizeof(sdp),
			"v=0\r\no=- %u 1 IN IP4 %s\r\ns=-\r\nc=IN IP4 %s\r\nt=0 0\r\n"
			"m=audio %u RTP/AVP 0\r\n",
			flow->call, mine, mine,
			packet->inbound ? flow->outside_data : flow->inside_data);
	text(packet,
		"%s\r\nVia: SIP/2.0/UDP %s:5060;branch=z9hG4bK%x\r\nFrom: <sip:a@%s>;tag=%x\r\n"
		"To: <sip:b@%s>\r\nCall-ID: %x@%s\r\nCSeq: 1 %s\r\n%sContent-Length: %zu\r\n"
		"\r\n%s",
		start, inside, flow->call, inside, flow->call, outside, flow->call, inside, method,
		media ? "Content-Type: application/sdp\r\n" : "", strlen(sdp), sdp);
	packet->word = "sip";
	packet->inside_port = packet->outside_port = SIP_PORT;
}

static void rtp(struct capture_flow *flow, uint32_t n, struct capture_packet *packet)
{
	uint8_t *at = packet->payload;
	uint16_t seq = (uint16_t)(n / 2);
	packet->inbound = n % 2;
	packet->inside_port = flow->inside_data;
	packet->outside_port = flow->outside_data;
	memset(at, 0xff, RTP_HEAD + RTP_PAYLOAD);
	at[0] = 0x80;
	at[1] = 0;
	io_put_be16(at + 2, seq);
	io_put_be32(at + 4, seq * 160U);
	io_put_be32(at + 8, packet->inbound ? ~flow->call : flow->call);
	packet->word = "rtp";
	packet->frame.tos = 46 << 2; /* expedited forwarding */
	fill(packet, RTP_HEAD + RTP_PAYLOAD);
}

/* A sender's report, on the port above. */
static void rtcp(struct capture_flow *flow, struct capture_packet *packet)
{
	memset(packet->payload, 0, 28);
	packet->payload[0] = 0x80;
	packet->payload[1] = 200;
	packet->payload[3] = 6;
	io_put_be32(packet->payload + 4, flow->call);
	packet->word = "rtcp";
	packet->inside_port = (uint16_t)(flow->inside_data + 1);
	packet->outside_port = (uint16_t)(flow->outside_data + 1);
	fill(packet, 28);
}

static void make_voip(struct capture_flow *flow, uint32_t size, struct capture_packet *packet)
{
	enum {
		RINGS = 5,
		CALL = RINGS + CALL_PACKETS + 2,
	};
	uint32_t step = flow->step % CALL;
	char start[64];
	(void)size;
	packet->frame.protocol = FRAME_UDP;
	packet->inbound = step == 1 || step == 2 || step == 3 || step == CALL - 1;
	snprintf(start, sizeof(start), "%s sip:b@h%x.example SIP/2.0",
		step == 0           ? "INVITE"
			: step == 4 ? "ACK"
				    : "BYE",
		flow->call);
	if (step == 0)
		sip(flow, packet, start, "INVITE", true);
	else if (step == 1)
		sip(flow, packet, "SIP/2.0 100 Trying", "INVITE", false);
	else if (step == 2)
		sip(flow, packet, "SIP/2.0 180 Ringing", "INVITE", false);
	else if (step == 3)
		sip(flow, packet, "SIP/2.0 200 OK", "INVITE", true);
	else if (step == 4)
		sip(flow, packet, start, "ACK", false);
	else if (step == CALL - 2)
		sip(flow, packet, start, "BYE", false);
	else if (step == CALL - 1)
		sip(flow, packet, "SIP/2.0 200 OK", "BYE", false);
	else if ((step - RINGS) % RTCP_EVERY == RTCP_EVERY - 2)
		rtcp(flow, packet);
	else
		rtp(flow, step - RINGS, packet);
	flow->call += step == CALL - 1;
}

static void make_dns(struct capture_flow *flow, uint32_t size, struct capture_packet *packet)
{
	static const char question[] = "\4leat\7example\0\0\1\0\1";
	static const char answer[] = "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\xc0\0\2\1";
	uint8_t *at = packet->payload;
	(void)size;
	packet->frame.protocol = FRAME_UDP;
	packet->inbound = flow->step % 2;
	memset(at, 0, 12);
	io_put_be16(at, (uint16_t)(flow->call + flow->step / 2));
	at[2] = packet->inbound ? 0x81 : 0x01;
	at[5] = 1;
	at[7] = packet->inbound;
	memcpy(at + 12, question, sizeof(question) - 1);
	memcpy(at + 12 + sizeof(question) - 1, answer, sizeof(answer) - 1);
	fill(packet,
		12 + sizeof(question) - 1 + (packet->inbound ? (uint32_t)sizeof(answer) - 1 : 0));
}

static void make_icmp(struct capture_flow *flow, uint32_t size, struct capture_packet *packet)
{
	(void)size;
	packet->frame.protocol = FRAME_ICMP;
	packet->inbound = flow->step % 2;
	packet->frame.icmp_type = packet->inbound ? 0 : 8;
	for (unsigned i = 0; i < 56; i++)
		packet->payload[i] = (uint8_t)i;
	fill(packet, 56);
}

void capture_make_end(struct capture_flow *flow, bool inbound, struct capture_packet *packet)
{
	packet->inbound = inbound;
	segment(flow, packet, FRAME_FIN | FRAME_ACK);
}

const struct capture_kind capture_kinds[] = {
	{ .name = "udp", .what = "datagrams of --size", .share = 5, .make = make_udp },
	{ .name = "tcp",
		.what = "connections with segments of --size",
		.share = 5,
		.is_tcp = true,
		.make = make_tcp },
	{ .name = "http",
		.what = "requests and full segments of answers",
		.share = 20,
		.is_tcp = true,
		.port = 80,
		.make = make_web },
	{ .name = "tls",
		.what = "the same, ciphered",
		.share = 40,
		.is_tcp = true,
		.port = 443,
		.make = make_web },
	{ .name = "voip",
		.what = "calls: SIP with SDP, RTP and RTCP both ways",
		.share = 15,
		.make = make_voip },
	{ .name = "ftp",
		.what = "a dialogue, then a passive data connection",
		.share = 5,
		.is_tcp = true,
		.port = 21,
		.make = make_ftp },
	{ .name = "dns",
		.what = "questions and answers",
		.share = 5,
		.port = 53,
		.make = make_dns },
	{ .name = "icmp", .what = "echo requests and replies", .share = 5, .make = make_icmp },
	{ .name = NULL },
};
