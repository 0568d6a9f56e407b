/* SPDX-License-Identifier: MIT */
/* What a flow talks is told by its content before its ports, and by what other flows announce
 * before either; what proves nothing alone needs company. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "router/node/class.h"
#include "router/node/class_app.h"
#include "unit/router/dice.h"

#define S 1000000000ll

static struct class_packet text_packet(
	const char *text, uint8_t proto, uint16_t sport, uint16_t dport)
{
	uint32_t len = (uint32_t)strlen(text);
	return (struct class_packet){ (const uint8_t *)text, len, len, sport, dport, proto };
}

/* Hexadecimal with blanks, then zeros up to `len` bytes; the buffer is reused. */
static struct class_packet hex_packet(
	const char *hex, uint32_t len, uint8_t proto, uint16_t sport, uint16_t dport)
{
	static uint8_t bytes[2000];
	uint32_t n = 0;
	unsigned value;
	int used;
	memset(bytes, 0, sizeof(bytes));
	for (; sscanf(hex, " %2x%n", &value, &used) == 1; hex += used)
		bytes[n++] = (uint8_t)value;
	if (len < n)
		len = n;
	return (struct class_packet){ bytes, len, len, sport, dport, proto };
}

static enum app app_of(const struct class_packet *p)
{
	struct class_flow flow = { 0 };
	struct class_lesson lesson;
	bool is_new = class_look(&flow, p, &lesson);
	assert_int_equal(is_new, flow.app != APP_UNKNOWN);
	return (enum app)flow.app;
}

static void text_tells_whatever_the_port(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint8_t proto;
		uint16_t sport, dport;
		enum app want;
	} cases[] = {
		{ "GET / HTTP/1.1\r\nHost: a\r\n\r\n", IPPROTO_TCP, 40000, 80, APP_HTTP },
		{ "GET / HTTP/1.1\r\nHost: a\r\n\r\n", IPPROTO_TCP, 40000, 5060, APP_HTTP },
		{ "HTTP/1.1 200 OK\r\n\r\n", IPPROTO_TCP, 5060, 40000, APP_HTTP },
		{ "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", IPPROTO_TCP, 40000, 21, APP_HTTP },
		{ "OPTIONS * HTTP/1.0\r\n\r\n", IPPROTO_TCP, 40000, 5060, APP_HTTP },
		{ "POST /a/very/long/line/that/goes/on", IPPROTO_TCP, 40000, 9, APP_HTTP },
		{ "GET", IPPROTO_TCP, 40000, 80, APP_UNKNOWN },
		{ "GET key\r\n", IPPROTO_TCP, 40000, 6379, APP_UNKNOWN },
		{ "GET / HTTP/1.1\r\n\r\n", IPPROTO_UDP, 40000, 80, APP_UNKNOWN },
		{ "OPTIONS rtsp://a/b RTSP/1.0\r\n", IPPROTO_TCP, 40000, 554, APP_UNKNOWN },
		{ "INVITE sip:b@example.org SIP/2.0\r\n", IPPROTO_UDP, 5060, 5060, APP_SIP },
		{ "INVITE sip:b@example.org SIP/2.0\r\n", IPPROTO_UDP, 40000, 80, APP_SIP },
		{ "OPTIONS sip:b@example.org SIP/2.0\r\n", IPPROTO_TCP, 40000, 80, APP_SIP },
		{ "SIP/2.0 180 Ringing\r\n", IPPROTO_UDP, 5060, 40000, APP_SIP },
		{ "REGISTER sip:example.org", IPPROTO_TCP, 40000, 5060, APP_SIP },
		{ "REGISTER me\r\n", IPPROTO_TCP, 40000, 5060, APP_UNKNOWN },
		{ "\r\n\r\n", IPPROTO_UDP, 5060, 5060, APP_UNKNOWN },
		{ "220 ready\r\n", IPPROTO_TCP, 21, 40000, APP_FTP },
		{ "220-many\r\n220 lines\r\n", IPPROTO_TCP, 21, 40000, APP_FTP },
		{ "user anonymous\r\n", IPPROTO_TCP, 40000, 21, APP_FTP },
		{ "USER anonymous\r\n", IPPROTO_TCP, 40000, 110, APP_UNKNOWN },
		{ "220 mail.example.org ESMTP\r\n", IPPROTO_TCP, 25, 40000, APP_UNKNOWN },
		{ "220 example FTP server ready\r\n", IPPROTO_TCP, 2121, 40000, APP_FTP },
		{ "227 Entering Passive Mode (1,2,3,4,5,6)\r\n", IPPROTO_TCP, 2121, 40000,
			APP_FTP },
		{ "999 odd\r\n", IPPROTO_TCP, 21, 40000, APP_UNKNOWN },
		{ "22", IPPROTO_TCP, 21, 40000, APP_UNKNOWN },
		{ "SSH-2.0-x\r\n", IPPROTO_TCP, 22, 40000, APP_UNKNOWN },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct class_packet p =
			text_packet(cases[i].text, cases[i].proto, cases[i].sport, cases[i].dport);
		if (app_of(&p) != cases[i].want)
			fail_msg("%s: %s, not %s", cases[i].text, app_name(app_of(&p)),
				app_name(cases[i].want));
	}
}

static void headers_tell_too(void **state)
{
	(void)state;
	static const struct {
		const char *hex;
		uint32_t len;
		uint8_t proto;
		enum app want;
	} cases[] = {
		{ "16 03 01 02 00 01 00 01 fc 03 03", 517, IPPROTO_TCP, APP_TLS },
		{ "16 03 03 00 5a 02 00 00 56 03 03", 95, IPPROTO_TCP, APP_TLS },
		{ "17 03 03 00 20", 37, IPPROTO_TCP, APP_TLS },
		{ "16 03 01 ff ff 01 00 01 fc", 517, IPPROTO_TCP, APP_UNKNOWN },
		{ "16 03 09 02 00 01 00 01 fc", 517, IPPROTO_TCP, APP_UNKNOWN },
		{ "16 03 01 02 00 01 00 01 fc", 517, IPPROTO_UDP, APP_UNKNOWN },
		{ "c3 00 00 00 01 08 01 02 03 04 05 06 07 08 00", 1200, IPPROTO_UDP, APP_QUIC },
		{ "c3 6b 33 43 cf 08 01 02 03 04 05 06 07 08 00", 1200, IPPROTO_UDP, APP_QUIC },
		{ "c3 ff 00 00 1d 08 01 02 03 04 05 06 07 08 00", 1200, IPPROTO_UDP, APP_QUIC },
		{ "c3 1a 2a 3a 4a 08 01 02 03 04 05 06 07 08 00", 1200, IPPROTO_UDP, APP_QUIC },
		{ "c3 51 30 34 33 50 01 02 03 04 05 06 07 08 00", 1200, IPPROTO_UDP, APP_QUIC },
		{ "ca 00 00 00 00 08 01 02 03 04 05 06 07 08 00 00 00 00 01", 0, IPPROTO_UDP,
			APP_QUIC },
		{ "c3 00 00 00 01 ff 01 02 03 04 05 06 07 08 00", 1200, IPPROTO_UDP, APP_UNKNOWN },
		{ "c3 00 12 34 56 08 01 02 03 04 05 06 07 08 00", 1200, IPPROTO_UDP, APP_UNKNOWN },
		{ "43 00 00 00 01 08 01 02 03 04 05 06 07 08 00", 1200, IPPROTO_UDP, APP_UNKNOWN },
		{ "00 01 00 08 21 12 a4 42 00 00 00 00 00 00 00 00 00 00 00 00", 28, IPPROTO_UDP,
			APP_STUN },
		{ "00 01 00 08 21 12 a4 43 00 00 00 00 00 00 00 00 00 00 00 00", 28, IPPROTO_UDP,
			APP_UNKNOWN },
		{ "00 01 00 09 21 12 a4 42 00 00 00 00 00 00 00 00 00 00 00 00", 29, IPPROTO_UDP,
			APP_UNKNOWN },
		{ "00 01 00 08 21 12 a4 42 00 00 00 00 00 00 00 00 00 00 00 00", 24, IPPROTO_UDP,
			APP_UNKNOWN },
		{ "16 fe ff 00 00 00 00 00 00 00 00 00 20 01", 45, IPPROTO_UDP, APP_DTLS },
		{ "16 fe fd 00 00 00 00 00 00 00 00 00 20 01", 45, IPPROTO_UDP, APP_DTLS },
		{ "16 fe fd 00 00 00 00 00 00 00 00 00 21 01", 45, IPPROTO_UDP, APP_UNKNOWN },
		{ "16 03 03 00 00 00 00 00 00 00 00 00 20 01", 45, IPPROTO_UDP, APP_UNKNOWN },
		/* sender report of 28 bytes, then a description of 12 */
		{ "80 c8 00 06 11 22 33 44 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
		  "00 00 "
		  "81 ca 00 02 11 22 33 44 00 00 00 00",
			40, IPPROTO_UDP, APP_RTCP },
		{ "80 c9 00 01 11 22 33 44", 8, IPPROTO_UDP, APP_RTCP },
		{ "80 c9 00 09 11 22 33 44", 8, IPPROTO_UDP, APP_UNKNOWN },
		/* RFC 5761: of any type that is RTCP's, and no other */
		{ "80 c0 00 01 11 22 33 44", 8, IPPROTO_UDP, APP_RTCP },
		{ "80 df 00 01 11 22 33 44", 8, IPPROTO_UDP, APP_RTCP },
		{ "80 bf 00 01 11 22 33 44", 8, IPPROTO_UDP, APP_UNKNOWN },
		{ "80 e0 00 01 11 22 33 44", 8, IPPROTO_UDP, APP_UNKNOWN },
		/* alone, RTP proves nothing */
		{ "80 00 12 34 00 00 00 a0 11 22 33 44", 172, IPPROTO_UDP, APP_UNKNOWN },
		/* a question to a name server */
		{ "12 34 01 00 00 01 00 00 00 00 00 00 07", 33, IPPROTO_UDP, APP_UNKNOWN },
		{ "", 0, IPPROTO_UDP, APP_UNKNOWN },
		{ "", 0, IPPROTO_TCP, APP_UNKNOWN },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct class_packet p =
			hex_packet(cases[i].hex, cases[i].len, cases[i].proto, 40000, 40002);
		if (app_of(&p) != cases[i].want)
			fail_msg("%s: %s, not %s", cases[i].hex, app_name(app_of(&p)),
				app_name(cases[i].want));
	}
}

/* ---- RTP ---- */

static struct class_packet rtp(unsigned type, unsigned seq, unsigned source)
{
	char hex[64];
	snprintf(hex, sizeof(hex), "80 %02x %02x %02x 00 00 00 a0 11 22 33 %02x", type, seq >> 8,
		seq & 255, source);
	return hex_packet(hex, 172, IPPROTO_UDP, 16384, 16390);
}

static bool see(struct class_flow *flow, struct class_packet p)
{
	struct class_lesson lesson;
	assert_true(class_wants(flow));
	bool is_new = class_look(flow, &p, &lesson);
	assert_int_equal(lesson.n, 0);
	return is_new;
}

static void three_packets_of_one_source_are_rtp(void **state)
{
	(void)state;
	struct class_flow flow = { 0 };
	assert_false(see(&flow, rtp(0, 1, 7)));
	assert_false(see(&flow, rtp(0, 2, 7)));
	assert_int_equal(flow.app, APP_UNKNOWN);
	assert_true(see(&flow, rtp(0, 3, 7)));
	assert_int_equal(flow.app, APP_RTP);
	assert_false(class_wants(&flow));
}

static void packets_that_do_not_agree_are_not(void **state)
{
	(void)state;
	struct class_flow flow = { 0 };
	for (unsigned i = 0; i < CLASS_LOOKS; i++)
		assert_false(see(&flow, rtp(0, i, i)));
	assert_int_equal(flow.app, APP_UNKNOWN);
	assert_false(class_wants(&flow)); /* and that was all */

	/* nor is what does not count: a number that stays, goes back, or leaps */
	static const unsigned numbers[][4] = { { 5, 5, 5, 5 }, { 9, 8, 7, 6 }, { 1, 9, 17, 25 } };
	for (size_t i = 0; i < LT_COUNT(numbers); i++) {
		struct class_flow other = { 0 };
		for (unsigned k = 0; k < 4; k++)
			assert_false(see(&other, rtp(0, numbers[i][k], 7)));
	}
	struct class_flow over = { 0 };
	for (unsigned k = 0; k < 3; k++)
		assert_int_equal(see(&over, rtp(0, (0xfffe + k) & 0xffff, 7)), k == 2);

	static const unsigned types[] = { 35, 72, 76, 95 };
	for (size_t i = 0; i < LT_COUNT(types); i++) {
		struct class_flow other = { 0 };
		for (unsigned k = 0; k < 4; k++)
			assert_false(see(&other, rtp(types[i], k, 7)));
	}
	struct class_flow low = { 0 };
	for (unsigned k = 0; k < 4; k++) {
		struct class_packet p = rtp(0, k, 7);
		p.dport = 53;
		assert_false(see(&low, p));
	}
}

/* Lengths that do not fit, however often they are seen. */
static void what_does_not_fit_its_packet_is_neither_rtp_nor_rtcp(void **state)
{
	(void)state;
	static const struct {
		const char *hex;
		uint32_t len;
		enum app want;
	} cases[] = {
		{ "80 60 00 01 00 00 00 a0 11 22 33 44", 12, APP_RTP },
		{ "8f 60 00 01 00 00 00 a0 11 22 33 44", 71, APP_UNKNOWN }, /* 15 sources more */
		{ "8f 60 00 01 00 00 00 a0 11 22 33 44", 72, APP_RTP },
		{ "90 60 00 01 00 00 00 a0 11 22 33 44 be de 00 02", 23,
			APP_UNKNOWN }, /* extension */
		{ "90 60 00 01 00 00 00 a0 11 22 33 44 be de 00 02", 24, APP_RTP },
		{ "90 60 00 01 00 00 00 a0 11 22 33 44", 15, APP_UNKNOWN },
		{ "40 60 00 01 00 00 00 a0 11 22 33 44", 40, APP_UNKNOWN }, /* version 1 */
		{ "80 c9 00 09 11 22 33 44", 39, APP_UNKNOWN },
		{ "80 c9 00 01 11 22 33 44 99 99", 22, APP_RTCP }, /* encrypted behind the header */
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct class_flow flow = { 0 };
		for (unsigned k = 0; k < CLASS_IN_A_ROW; k++) {
			char hex[128];
			strcpy(hex, cases[i].hex);
			if (hex[3] == '6') /* RTP, with numbers that grow */
				hex[10] = (char)('1' + k);
			see(&flow, hex_packet(hex, cases[i].len, IPPROTO_UDP, 40000, 40002));
		}
		if (flow.app != cases[i].want)
			fail_msg("%s: %s", cases[i].hex, app_name((enum app)flow.app));
	}
}

static void a_call_is_found_behind_what_opens_its_way(void **state)
{
	(void)state;
	struct class_flow flow = { 0 };
	for (unsigned i = 0; i < 20; i++) /* as many as there may be: they do not count */
		see(&flow,
			hex_packet("00 01 00 00 21 12 a4 42 00 00 00 00 00 00 00 00 00 00 00 00",
				20, IPPROTO_UDP, 40000, 40001));
	assert_int_equal(flow.app, APP_STUN);
	for (unsigned i = 0; i < 20; i++)
		see(&flow,
			hex_packet("16 fe fd 00 00 00 00 00 00 00 00 00 20 01", 45, IPPROTO_UDP,
				40000, 40001));
	assert_int_equal(flow.app, APP_STUN);
	see(&flow, rtp(111, 1, 7));
	see(&flow, rtp(111, 2, 7));
	assert_true(see(&flow, rtp(111, 3, 7)));
	assert_int_equal(flow.app, APP_RTP);
	assert_false(class_wants(&flow));
}

static void reports_among_rtp_do_not_hide_it(void **state)
{
	(void)state;
	struct class_flow flow = { 0 };
	assert_true(
		see(&flow, hex_packet("80 c9 00 01 11 22 33 44", 8, IPPROTO_UDP, 16384, 16390)));
	assert_int_equal(flow.app, APP_RTCP);
	assert_true(class_wants(&flow));
	see(&flow, rtp(0, 1, 7));
	see(&flow, rtp(0, 2, 7));
	assert_true(see(&flow, rtp(0, 3, 7)));
	assert_int_equal(flow.app, APP_RTP);
}

static void only_the_first_packets_are_looked_at(void **state)
{
	(void)state;
	struct class_flow flow = { 0 };
	for (unsigned i = 0; i < CLASS_LOOKS; i++)
		see(&flow, text_packet("?", IPPROTO_TCP, 40000, 80));
	assert_false(class_wants(&flow));
	assert_int_equal(flow.app, APP_UNKNOWN);
	struct class_flow found = { 0 };
	for (unsigned i = 0; i + 1 < CLASS_LOOKS; i++)
		see(&found, text_packet("?", IPPROTO_TCP, 40000, 80));
	assert_true(see(&found, text_packet("GET / HTTP/1.1\r\n", IPPROTO_TCP, 40000, 80)));
}

static void noise_is_nothing(void **state)
{
	(void)state;
	struct dice dice = { 9 };
	uint8_t bytes[64];
	size_t found = 0;
	for (unsigned flow = 0; flow < 200000; flow++) {
		struct class_flow f = { 0 };
		for (unsigned k = 0; k < CLASS_LOOKS && class_wants(&f); k++) {
			for (unsigned i = 0; i < sizeof(bytes); i += 4) {
				uint32_t r = dice_u32(&dice);
				memcpy(bytes + i, &r, 4);
			}
			struct class_packet p = { bytes, sizeof(bytes), sizeof(bytes), 40000, 40001,
				flow % 2 ? IPPROTO_TCP : IPPROTO_UDP };
			struct class_lesson lesson;
			found += class_look(&f, &p, &lesson);
		}
	}
	assert_in_range(found, 0, 10);
}

/* ---- what is announced ---- */

static void lesson_is(
	const char *text, uint8_t proto, uint16_t sport, uint16_t dport, const char *want)
{
	struct class_flow flow = { 0 };
	struct class_lesson lesson;
	struct class_packet p = text_packet(text, proto, sport, dport);
	class_look(&flow, &p, &lesson);
	char got[400] = "";
	size_t used = 0;
	for (unsigned i = 0; i < lesson.n; i++) {
		const struct class_endpoint *e = &lesson.endpoints[i];
		char addr[ADDR_TEXT_MAX];
		used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%s %s %u",
			i ? ", " : "", app_name((enum app)e->app), addr_text(&e->addr, addr),
			e->port);
		assert_int_equal(e->proto, e->app == APP_FTP_DATA ? IPPROTO_TCP : IPPROTO_UDP);
	}
	if (strcmp(got, want))
		fail_msg("%s\n: '%s', not '%s'", text, got, want);
}

#define SDP "INVITE sip:b@c SIP/2.0\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n"

static void sdp_announces_rtp(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ SDP "c=IN IP4 192.0.2.5\r\nm=audio 49170 RTP/AVP 0 8\r\n",
			"rtp 192.0.2.5 49170, rtcp 192.0.2.5 49171" },
		{ SDP "m=audio 49170 RTP/AVP 0\r\nc=IN IP4 192.0.2.6/127\r\n",
			"rtp 192.0.2.6 49170, rtcp 192.0.2.6 49171" },
		{ SDP "c=IN IP4 192.0.2.5\r\nm=audio 1000 RTP/AVP 0\r\nm=video 2000/2 RTP/SAVPF "
		      "99\r\n"
		      "c=IN IP6 2001:db8::9\r\na=rtcp:2100 IN IP6 2001:db8::9\r\n",
			"rtp 192.0.2.5 1000, rtcp 192.0.2.5 1001, rtp 2001:db8::9 2000, "
			"rtcp 2001:db8::9 2100" },
		{ SDP "c=IN IP4 192.0.2.5\nm=audio 1000 UDP/TLS/RTP/SAVPF 0\na=rtcp-mux\n",
			"rtp 192.0.2.5 1000" },
		{ SDP "c=IN IP4 192.0.2.5\r\nm=audio 0 RTP/AVP 0\r\n", "" },
		{ SDP "c=IN IP4 192.0.2.5\r\nm=image 1000 udptl t38\r\n", "" },
		{ SDP "m=audio 1000 RTP/AVP 0\r\n", "" },
		{ SDP "c=IN IP4 host.example\r\nm=audio 1000 RTP/AVP 0\r\n", "" },
		{ SDP "c=IN IP4 192.0.2.5\r\nm=audio 99999 RTP/AVP 0\r\n", "" },
		{ SDP "c=IN IP4 192.0.2.5\r\nm=audio 65535 RTP/AVP 0", "rtp 192.0.2.5 65535" },
		/* not in a header */
		{ "INVITE sip:b@c SIP/2.0\r\nc=IN IP4 192.0.2.5\r\nm=audio 1000 RTP/AVP 0\r\n",
			"" },
		{ SDP "c=IN IP4 1.1.1.1\nm=a 1 RTP/A\nm=a 3 RTP/A\nm=a 5 RTP/A\nm=a 7 RTP/A\nm=a 9 "
		      "RTP/A",
			"rtp 1.1.1.1 1, rtcp 1.1.1.1 2, rtp 1.1.1.1 3, rtcp 1.1.1.1 4, rtp 1.1.1.1 "
			"5, "
			"rtcp 1.1.1.1 6, rtp 1.1.1.1 7, rtcp 1.1.1.1 8" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++)
		lesson_is(cases[i][0], IPPROTO_UDP, 5060, 5060, cases[i][1]);
}

static void ftp_announces_its_data(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool reply;
		const char *want;
	} cases[] = {
		{ "PORT 192,168,1,2,19,137\r\n", false, "ftp-data 192.168.1.2 5001" },
		{ "port 192,168,1,2,19,137\r\n", false, "ftp-data 192.168.1.2 5001" },
		{ "EPRT |1|192.168.1.2|5001|\r\n", false, "ftp-data 192.168.1.2 5001" },
		{ "EPRT !2!2001:db8::2!5001!\r\n", false, "ftp-data 2001:db8::2 5001" },
		{ "227 Entering Passive Mode (203,0,113,9,4,1)\r\n", true,
			"ftp-data 203.0.113.9 1025" },
		{ "227 =203,0,113,9,4,1\r\n", true, "ftp-data 203.0.113.9 1025" },
		{ "229 Entering Extended Passive Mode (|||6446|)\r\n", true, "ftp-data none 6446" },
		{ "200 ok\r\n227 x (1,2,3,4,0,7)\r\n", true, "ftp-data 1.2.3.4 7" },
		{ "PORT 192,168,1,256,19,137\r\n", false, "" },
		{ "PORT 192,168,1,2,19\r\n", false, "" },
		{ "PORT 192,168,1,2,0,0\r\n", false, "" },
		{ "229 Entering Extended Passive Mode\r\n", true, "" },
		{ "229 (|||99999|)\r\n", true, "" },
		{ "229 (|||123", true, "" },
		{ "EPRT |", false, "" },
		{ "227 ", true, "" },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++)
		lesson_is(cases[i].text, IPPROTO_TCP, cases[i].reply ? 21 : 40000,
			cases[i].reply ? 40000 : 21, cases[i].want);
}

/* Long after the first packets, a control connection is still listened to. */
static void flows_that_teach_are_always_looked_at(void **state)
{
	(void)state;
	struct class_flow flow = { 0 };
	struct class_lesson lesson;
	struct class_packet p = text_packet("USER me\r\n", IPPROTO_TCP, 40000, 21);
	assert_true(class_look(&flow, &p, &lesson));
	for (unsigned i = 0; i < 100; i++) {
		assert_true(class_wants(&flow));
		assert_false(class_look(&flow, &p, &lesson));
	}
	p = text_packet("PORT 1,2,3,4,5,6\r\n", IPPROTO_TCP, 40000, 21);
	class_look(&flow, &p, &lesson);
	assert_int_equal(lesson.n, 1);
	assert_int_equal(flow.app, APP_FTP);
}

static void what_was_announced_is_found_for_a_while(void **state)
{
	(void)state;
	struct class_learnt *l;
	assert_int_equal(class_learnt_new(&l, NULL), 0);
	class_learnt_put(l, 0x01020304, false, 5000, IPPROTO_UDP, APP_RTP, 10 * S);
	assert_int_equal(
		class_learnt_find(l, 0x01020304, false, 5000, IPPROTO_UDP, 10 * S), APP_RTP);
	assert_int_equal(class_learnt_find(l, 0x01020304, false, 5001, IPPROTO_UDP, 10 * S), 0);
	assert_int_equal(class_learnt_find(l, 0x01020305, false, 5000, IPPROTO_UDP, 10 * S), 0);
	assert_int_equal(class_learnt_find(l, 0x01020304, true, 5000, IPPROTO_UDP, 10 * S), 0);
	assert_int_equal(class_learnt_find(l, 0x01020304, false, 5000, IPPROTO_TCP, 10 * S), 0);
	assert_int_equal(
		class_learnt_find(l, 0x01020304, false, 5000, IPPROTO_UDP, 310 * S), APP_RTP);
	assert_int_equal(class_learnt_find(l, 0x01020304, false, 5000, IPPROTO_UDP, 311 * S), 0);
	class_learnt_put(l, 0x01020304, false, 5000, IPPROTO_UDP, APP_RTCP, 311 * S);
	assert_int_equal(
		class_learnt_find(l, 0x01020304, false, 5000, IPPROTO_UDP, 312 * S), APP_RTCP);
	class_learnt_free(l);
}

/* The table holds some thousands, and the newest always. */
static void a_full_table_forgets_the_oldest(void **state)
{
	(void)state;
	struct class_learnt *l;
	size_t kept = 0;
	assert_int_equal(class_learnt_new(&l, NULL), 0);
	for (uint32_t i = 0; i < 100000; i++) {
		class_learnt_put(l, i, false, (uint16_t)(i * 7), IPPROTO_UDP, APP_RTP, S + i);
		assert_int_equal(
			class_learnt_find(l, i, false, (uint16_t)(i * 7), IPPROTO_UDP, S + i),
			APP_RTP);
	}
	for (uint32_t i = 0; i < 100000; i++) {
		bool there = class_learnt_find(l, i, false, (uint16_t)(i * 7), IPPROTO_UDP, 2 * S);
		kept += there;
		if (i >= 99000 &&
			!there) /* a set is 8 of 8192: the last 1000 are hardly ever 9 of it */
			kept += 1000000;
	}
	assert_in_range(kept, 7000, 8192);
	class_learnt_free(l);
}

static void an_announced_flow_needs_no_look(void **state)
{
	(void)state;
	struct class_flow flow = { 0 };
	class_flow_is(&flow, APP_RTP);
	assert_int_equal(flow.app, APP_RTP);
	assert_false(class_wants(&flow));
	struct class_flow none = { 0 };
	class_flow_is(&none, APP_UNKNOWN);
	assert_true(class_wants(&none));
}

/* ---- classes ---- */

static void dscp_comes_first_then_content_then_ports(void **state)
{
	(void)state;
	static const char text[] =
		"[interface a]\n[class voice]\nstrict = yes\nrate = 10%\ndscp = ef\ncontent = rtp\n"
		"[class signals]\ncontent = sip\nports = udp/5060-5061 tcp/5060\n"
		"[class web]\ncontent = http\nports = tcp/80\ndscp = 10\n[class rest]\ndefault = "
		"yes\n";
	enum {
		VOICE,
		SIGNALS,
		WEB,
		REST
	};
	struct lt_err err = { 0 };
	struct conf *conf;
	struct class_map map;
	assert_int_equal(conf_parse(text, strlen(text), "t", &conf, &err), 0);
	assert_int_equal(class_map_init(&map, conf, &err), 0);
	assert_true(map.by_content && map.by_ports);
	static const struct {
		enum app app;
		uint8_t proto;
		uint16_t sport, dport;
		unsigned want;
	} cases[] = {
		{ APP_UNKNOWN, IPPROTO_TCP, 40000, 80, WEB },
		{ APP_UNKNOWN, IPPROTO_TCP, 80, 40000, WEB },
		{ APP_UNKNOWN, IPPROTO_UDP, 40000, 80, REST },
		{ APP_UNKNOWN, IPPROTO_UDP, 40000, 5061, SIGNALS },
		{ APP_UNKNOWN, IPPROTO_TCP, 40000, 5061, REST },
		{ APP_UNKNOWN, IPPROTO_TCP, 80, 5060, SIGNALS },
		{ APP_HTTP, IPPROTO_TCP, 40000, 5060, WEB }, /* HTTP on the port of SIP */
		{ APP_SIP, IPPROTO_UDP, 40000, 80, SIGNALS },
		{ APP_RTP, IPPROTO_UDP, 5060, 5060, VOICE },
		{ APP_TLS, IPPROTO_TCP, 40000, 80,
			WEB }, /* no class claims TLS: its port decides */
		{ APP_UNKNOWN, IPPROTO_ICMP, 80, 80, REST },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		unsigned flow = class_of_flow(
			&map, cases[i].app, cases[i].proto, cases[i].sport, cases[i].dport);
		if (flow != cases[i].want)
			fail_msg("case %zu: %u, not %u", i, flow, cases[i].want);
		assert_int_equal(class_of(&map, 0, flow), flow);
		assert_int_equal(class_of(&map, 46, flow), VOICE);
		assert_int_equal(class_of(&map, 10, flow), WEB);
	}
	class_map_done(&map);
	conf_free(conf);
}

static void every_name_is_its_own(void **state)
{
	(void)state;
	for (unsigned app = 0; app < APP_COUNT; app++)
		assert_int_equal(app_from_name(app_name((enum app)app)), app);
	assert_int_equal(app_from_name("gopher"), APP_COUNT);
}

static void every_descriptor_is_whole(void **state)
{
	(void)state;
	for (unsigned app = 1; app < APP_COUNT; app++) {
		const struct class_app *a = class_apps[app];
		assert_non_null(a->name);
		assert_int_equal(a->tcp || a->udp, a->check != NULL);
		assert_int_equal(a->teaches, a->learn != NULL);
		assert_false(a->teaches && a->open); /* it would never be left */
	}
}

/* Whatever is cut off a packet, what is there is not called something else. */
static void cut_packets_are_themselves_or_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint8_t proto;
		uint16_t dport;
		enum app want;
	} cases[] = {
		{ "INVITE sip:b@example.org SIP/2.0\r\nVia: x\r\n", IPPROTO_UDP, 5060, APP_SIP },
		{ "GET /index.html HTTP/1.1\r\nHost: a\r\n", IPPROTO_TCP, 80, APP_HTTP },
		{ "USER anonymous\r\n", IPPROTO_TCP, 21, APP_FTP },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct class_packet p =
			text_packet(cases[i].text, cases[i].proto, 40000, cases[i].dport);
		for (p.len = 0; p.len <= p.full; p.len++) {
			enum app app = app_of(&p);
			if (app != APP_UNKNOWN && app != cases[i].want)
				fail_msg("%s, %u bytes: %s", cases[i].text, p.len, app_name(app));
		}
		p.len = p.full;
		assert_int_equal(app_of(&p), cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_tells_whatever_the_port),
		cmocka_unit_test(headers_tell_too),
		cmocka_unit_test(three_packets_of_one_source_are_rtp),
		cmocka_unit_test(packets_that_do_not_agree_are_not),
		cmocka_unit_test(what_does_not_fit_its_packet_is_neither_rtp_nor_rtcp),
		cmocka_unit_test(a_call_is_found_behind_what_opens_its_way),
		cmocka_unit_test(reports_among_rtp_do_not_hide_it),
		cmocka_unit_test(only_the_first_packets_are_looked_at),
		cmocka_unit_test(noise_is_nothing),
		cmocka_unit_test(sdp_announces_rtp),
		cmocka_unit_test(ftp_announces_its_data),
		cmocka_unit_test(flows_that_teach_are_always_looked_at),
		cmocka_unit_test(what_was_announced_is_found_for_a_while),
		cmocka_unit_test(a_full_table_forgets_the_oldest),
		cmocka_unit_test(an_announced_flow_needs_no_look),
		cmocka_unit_test(dscp_comes_first_then_content_then_ports),
		cmocka_unit_test(every_name_is_its_own),
		cmocka_unit_test(every_descriptor_is_whole),
		cmocka_unit_test(cut_packets_are_themselves_or_nothing),
	};
	return cmocka_run_group_tests_name("router classes", tests, NULL, NULL);
}
