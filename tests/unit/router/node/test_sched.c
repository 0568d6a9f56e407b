/* SPDX-License-Identifier: MIT */
/* The scheduler keeps its promises: strict classes are fast and bounded, the others share by
 * weight, queues stay short, no packet is lost without being counted; and it does, packet by
 * packet, what a plain model of it does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"
#include "unit/router/dice.h"

#define S  1000000000ll
#define MS 1000000ll

enum {
	MAX_OUT = 1 << 20
};

static struct sched_out outs[MAX_OUT];
static size_t n_outs;

struct rig {
	struct conf *conf;
	struct sched *sched;
	struct dice dice;
	size_t burst; /* results fetched at once */
};

static void start(struct rig *rig, const char *text)
{
	struct lt_err err = { 0 };
	*rig = (struct rig){ .dice = { 1 }, .burst = 256 };
	if (conf_parse(text, strlen(text), "test", &rig->conf, &err) < 0 ||
		sched_new(rig->conf, 0, &rig->sched, &err) < 0)
		fail_msg("%s", err.text);
	n_outs = 0;
}

static void stop(struct rig *rig)
{
	sched_free(rig->sched);
	conf_free(rig->conf);
}

static void run(struct rig *rig, int64_t until)
{
	size_t n;
	do {
		assert_true(n_outs + rig->burst <= MAX_OUT);
		n = sched_run(rig->sched, until, outs + n_outs, rig->burst);
		n_outs += n;
	} while (n == rig->burst);
}

static bool put(struct rig *rig, int64_t time, unsigned cls, uint32_t len, unsigned ecn)
{
	static uint64_t number;
	struct sched_item item = { .packet = number++,
		.time_ns = time,
		.len = len,
		.cls = (uint8_t)cls,
		.ecn = (uint8_t)ecn };
	run(rig, time);
	return sched_put(rig->sched, &item);
}

/* Every packet put was sent, dropped and counted, or waits. */
static void assert_balance(const struct rig *rig)
{
	size_t waiting = 0;
	for (unsigned i = 0; i < rig->conf->n_classes; i++) {
		const struct sched_count *c = sched_count(rig->sched, i);
		assert_int_equal(c->put, c->sent + c->full + c->codel + c->waiting);
		assert_true(c->marked <= c->sent);
		waiting += c->waiting;
	}
	assert_int_equal(waiting, sched_waiting(rig->sched));
}

static int64_t wire_ns(uint32_t len, uint64_t rate_bps)
{
	return (int64_t)(len * 8ull * 1000000000 / rate_bps);
}

/* ---- the wire ---- */

static void an_idle_wire_sends_at_once(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, "[interface a]\nrate = 8M\n");
	assert_true(put(&rig, 5 * S, 0, 1000, 0));
	assert_true(put(&rig, 5 * S + 10, 0, 500, 0));
	assert_true(put(&rig, 9 * S, 0, 500, 0));
	run(&rig, INT64_MAX);
	assert_int_equal(n_outs, 3);
	assert_int_equal(outs[0].time_ns, 5 * S);
	assert_int_equal(outs[1].time_ns, 5 * S + MS); /* 1000 bytes take 1 ms */
	assert_int_equal(outs[2].time_ns, 9 * S);
	assert_int_equal(outs[1].len, 500);
	assert_int_equal(sched_count(rig.sched, 0)->longest_ns, MS - 10);
	assert_int_equal(sched_count(rig.sched, 0)->sent_bytes, 2000);
	assert_balance(&rig);
	stop(&rig);
}

static void nothing_happens_at_the_time_itself(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, "[interface a]\nrate = 8M\n[class fast]\nstrict = yes\nrate = 50%\n");
	/* both come at the same time: the strict one goes first although it came second */
	put(&rig, S, 1, 1000, 0);
	put(&rig, S, 0, 1000, 0);
	run(&rig, S);
	assert_int_equal(n_outs, 0);
	run(&rig, S + 1);
	assert_int_equal(n_outs, 1);
	assert_int_equal(outs[0].cls, 0);
	stop(&rig);
}

static void no_fraction_of_a_nanosecond_is_lost(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig,
		"[interface a]\nrate = 7000003\n[class best-effort]\nlimit = 100000\n"
		"queue = tail-drop\n");
	for (int i = 0; i < 7000; i++)
		put(&rig, S, 0, 1001, 0);
	run(&rig, INT64_MAX);
	assert_int_equal(n_outs, 7000);
	for (int i = 0; i < 7000; i++)
		assert_int_equal(outs[i].time_ns,
			S + (int64_t)((unsigned __int128)i * 1001 * 8 * 1000000000 / 7000003));
	stop(&rig);
}

static void time_does_not_go_back(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, "[interface a]\nrate = 8M\n");
	put(&rig, 5 * S, 0, 1000, 0);
	put(&rig, 4 * S, 0, 1000, 0);
	put(&rig, -7, 0, 1000, 0);
	put(&rig, INT64_MAX, 0, 1000, 0);
	put(&rig, INT64_MAX, 0, 1000, 0);
	run(&rig, INT64_MAX);
	assert_int_equal(n_outs, 5);
	assert_int_equal(outs[1].time_ns, 5 * S + MS);
	assert_int_equal(outs[2].time_ns, 5 * S + 2 * MS);
	assert_int_equal(outs[4].time_ns, outs[3].time_ns + MS);
	stop(&rig);
}

/* ---- strict classes ---- */

#define EF "[class ef]\nstrict = yes\nrate = 30%\nburst = 3036\n[class best-effort]\n"

/* Best effort sends twice what the wire can, in full-sized packets; EF sends 20 % of it in small
 * and large ones: none of EF is lost, and none waits for longer than two full-sized packets. */
static void ef_is_not_lost_and_hardly_waits_under_overload(void **state)
{
	(void)state;
	static const uint32_t sizes[] = { 60, 200, 1518 };
	const uint64_t rate = 10000000;
	for (size_t k = 0; k < LT_COUNT(sizes); k++) {
		struct rig rig;
		start(&rig, "[interface a]\nrate = 10M\n" EF);
		int64_t ef = S, be = S;
		while (ef < 21 * S) {
			if (ef <= be) {
				assert_true(put(&rig, ef, 0, sizes[k], 0));
				/* a fifth, but not in step with the others */
				ef += wire_ns(sizes[k], rate / 5) *
					(90 + dice_below(&rig.dice, 21)) / 100;
			} else {
				put(&rig, be, 1, 1518, 0);
				be += wire_ns(1518, 2 * rate);
			}
		}
		run(&rig, INT64_MAX);
		const struct sched_count *c = sched_count(rig.sched, 0);
		assert_int_equal(c->sent, c->put);
		assert_true(c->put > 1000);
		assert_in_range(c->longest_ns, 1, 2 * wire_ns(1518, rate));
		assert_true(
			sched_count(rig.sched, 1)->full + sched_count(rig.sched, 1)->codel > 1000);
		assert_balance(&rig);
		stop(&rig);
	}
}

/* A strict class that sends too much gets its rate and no more while others have packets. */
static void a_strict_class_cannot_starve_the_others(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, "[interface a]\nrate = 10M\n" EF "queue = tail-drop\n");
	for (int64_t t = S; t < 11 * S; t += wire_ns(1000, 20000000)) {
		put(&rig, t, 0, 1000, 0);
		put(&rig, t, 1, 1000, 0);
	}
	run(&rig, 11 * S);
	double ef = (double)sched_count(rig.sched, 0)->sent_bytes;
	double be = (double)sched_count(rig.sched, 1)->sent_bytes;
	assert_true(ef / (ef + be) > 0.299 && ef / (ef + be) < 0.302);
	assert_true(ef + be > 0.999 * 10 * 10e6 / 8);
	assert_balance(&rig);
	stop(&rig);
}

static void a_strict_class_may_use_what_others_leave(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, "[interface a]\nrate = 10M\n" EF);
	for (int64_t t = S; t < 3 * S; t += wire_ns(1000, 9000000))
		assert_true(put(&rig, t, 0, 1000, 0));
	run(&rig, INT64_MAX);
	assert_int_equal(sched_count(rig.sched, 0)->sent, sched_count(rig.sched, 0)->put);
	assert_int_equal(sched_count(rig.sched, 0)->longest_ns, 0);
	stop(&rig);
}

static void a_packet_larger_than_the_bucket_does_not_wait_forever(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig,
		"[interface a]\nrate = 10M\n[class ef]\nstrict = yes\nrate = 10%\nburst = 100\n"
		"[class best-effort]\nqueue = tail-drop\n");
	for (int64_t t = S; t < 5 * S; t += wire_ns(1000, 10000000)) {
		put(&rig, t, 1, 1000, 0);
		if ((t / MS) % 16 == 0)
			put(&rig, t, 0, 1500, 0);
	}
	run(&rig, 5 * S);
	double ef = (double)sched_count(rig.sched, 0)->sent_bytes;
	assert_true(ef > 0.09 * 4 * 10e6 / 8 && ef < 0.11 * 4 * 10e6 / 8);
	stop(&rig);
}

/* ---- shares ---- */

static void check_shares(const char *text, const uint32_t *sizes, const double *shares, size_t n)
{
	struct rig rig;
	start(&rig, text);
	int64_t next[CONF_MAX_CLASSES] = { 0 };
	for (size_t i = 0; i < n; i++)
		next[i] = S + (int64_t)i;
	/* each class alone sends as much as the wire takes */
	for (int64_t now = S; now < 21 * S;) {
		size_t who = 0;
		for (size_t i = 1; i < n; i++)
			if (next[i] < next[who])
				who = i;
		now = next[who];
		uint32_t len = sizes[who] ? sizes[who] : 60 + dice_below(&rig.dice, 1459);
		put(&rig, now, (unsigned)who, len, dice_below(&rig.dice, 3));
		next[who] += wire_ns(len, 10000000);
	}
	run(&rig, 21 * S);
	assert_balance(&rig);
	double sum = 0, weights = 0;
	for (size_t i = 0; i < n; i++) {
		sum += (double)sched_count(rig.sched, (unsigned)i)->sent_bytes;
		weights += shares[i];
	}
	for (size_t i = 0; i < n; i++) {
		double got = (double)sched_count(rig.sched, (unsigned)i)->sent_bytes / sum;
		double want = shares[i] / weights;
		if (got < want * 0.98 || got > want * 1.02)
			fail_msg("class %zu: %f, not %f", i, got, want);
	}
	assert_true(sum > 0.999 * 20 * 10e6 / 8);
	stop(&rig);
}

#define WIRE "[interface a]\nrate = 10M\n"

static void classes_share_by_weight_whatever_the_size_of_their_packets(void **state)
{
	(void)state;
	static const char equal[] = WIRE "[class a]\n[class b]\ndefault = yes\n";
	static const char three[] = WIRE "[class a]\nweight = 1\n[class b]\nweight = 2\n[class "
					 "c]\nweight = 5\ndefault = yes\n";
	static const char tail[] = WIRE "[class a]\nweight = 3\nqueue = tail-drop\n[class b]\n"
					"weight = 7\nqueue = tail-drop\n[class c]\nweight = 7\n"
					"queue = tail-drop\ndefault = yes\n";
	static const char far[] =
		WIRE "[class a]\nweight = 1\n[class b]\nweight = 50\ndefault = yes\n";
	check_shares(equal, (uint32_t[]){ 60, 1518 }, (double[]){ 1, 1 }, 2);
	check_shares(three, (uint32_t[]){ 1518, 0, 60 }, (double[]){ 1, 2, 5 }, 3);
	check_shares(three, (uint32_t[]){ 60, 1518, 0 }, (double[]){ 1, 2, 5 }, 3);
	check_shares(tail, (uint32_t[]){ 1000, 0, 60 }, (double[]){ 3, 7, 7 }, 3);
	check_shares(far, (uint32_t[]){ 1518, 1000 }, (double[]){ 1, 50 }, 2);
}

static void what_a_class_does_not_use_goes_to_the_others(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, WIRE "[class a]\nweight = 9\n[class b]\nqueue = tail-drop\ndefault = yes\n");
	for (int64_t t = S; t < 11 * S; t += wire_ns(1000, 10000000)) {
		put(&rig, t, 1, 1000, 0);
		if ((t / MS) % 10 < 1)
			put(&rig, t, 0, 1000, 0);
	}
	run(&rig, 11 * S);
	const struct sched_count *a = sched_count(rig.sched, 0), *b = sched_count(rig.sched, 1);
	assert_int_equal(a->sent, a->put);
	assert_in_range(a->longest_ns, 0, 2 * wire_ns(1518, 10000000));
	assert_true((double)(a->sent_bytes + b->sent_bytes) > 0.999 * 10 * 10e6 / 8);
	stop(&rig);
}

/* ---- queues ---- */

static void a_full_queue_refuses_and_counts(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, "[interface a]\nrate = 8k\n[class x]\nlimit = 23\ndefault = yes\n");
	for (int i = 0; i < 100; i++)
		assert_int_equal(put(&rig, S, 0, 1000, 0), i < 23);
	assert_int_equal(sched_count(rig.sched, 0)->full, 77);
	assert_int_equal(sched_waiting(rig.sched), 23);
	assert_balance(&rig);
	assert_true(put(&rig, S + 1, 0, 1000, 0)); /* one left */
	stop(&rig);
}

static void packets_of_a_class_leave_in_their_order(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, WIRE "[class a]\n[class b]\nweight = 3\n" EF);
	for (int64_t t = S; t < 3 * S; t += 100000)
		put(&rig, t, dice_below(&rig.dice, 4), 60 + dice_below(&rig.dice, 1400),
			dice_below(&rig.dice, 4));
	run(&rig, INT64_MAX);
	uint64_t last[CONF_MAX_CLASSES] = { 0 };
	int64_t time = 0;
	for (size_t i = 0; i < n_outs; i++) {
		assert_true(outs[i].packet >= last[outs[i].cls]);
		last[outs[i].cls] = outs[i].packet + 1;
		assert_true(outs[i].time_ns >= time);
		time = outs[i].time_ns;
	}
	assert_int_equal(sched_waiting(rig.sched), 0);
	assert_balance(&rig);
	stop(&rig);
}

/* ---- CoDel ---- */

enum {
	SENDERS = 4,
	LEN = 1500
};

/* Senders as TCP is one: a window of packets under way, one more for each that arrives whole, half
 * as many once for each round trip that lost or marked one. */
struct sender {
	double window;
	int under_way;
	int64_t cut_ns; /* no second cut before */
};

struct loop {
	struct rig rig;
	struct sender senders[SENDERS];
	int64_t rtt;
	struct {
		int64_t time;
		unsigned who;
		bool hit;
	} acks[MODEL_MAX];
	size_t first, n;
	int64_t shortest; /* wait of any packet since it was set */
	unsigned owner[MAX_OUT];
	uint64_t base;
};

static void fill_windows(struct loop *l, int64_t now)
{
	for (unsigned i = 0; i < SENDERS; i++) {
		struct sender *s = &l->senders[i];
		while (s->under_way < (int)s->window) {
			struct sched_item item = {
				.packet = l->base, .time_ns = now, .len = LEN, .ecn = i % 2
			};
			if (!sched_put(l->rig.sched, &item)) {
				s->window = s->window / 2 > 2 ? s->window / 2 : 2;
				return;
			}
			l->owner[l->base++] = i;
			s->under_way++;
		}
	}
}

static void take_ack(struct loop *l)
{
	struct sender *s = &l->senders[l->acks[l->first].who];
	int64_t now = l->acks[l->first].time;
	s->under_way--;
	if (!l->acks[l->first].hit) {
		s->window += 1 / s->window;
	} else if (now >= s->cut_ns) {
		s->window = s->window / 2 > 2 ? s->window / 2 : 2;
		s->cut_ns = now + l->rtt;
	}
	l->first++;
}

/* Runs the loop until a time, and gives the shortest wait from `from` on. */
static int64_t standing_delay(struct loop *l, int64_t from, int64_t until)
{
	int64_t shortest = INT64_MAX, now = S;
	struct sched_out out;
	fill_windows(l, now);
	while (now < until) {
		int64_t ack = l->first < l->n ? l->acks[l->first].time : INT64_MAX;
		if (!sched_run(l->rig.sched, ack, &out, 1)) {
			now = ack;
			take_ack(l);
			fill_windows(l, now);
			continue;
		}
		now = out.time_ns;
		assert_true(l->n < MODEL_MAX);
		l->acks[l->n].time = now + l->rtt;
		l->acks[l->n].who = l->owner[out.packet];
		l->acks[l->n++].hit = out.fate != SCHED_SENT;
		if (now >= from && out.fate != SCHED_CODEL) {
			/* how long the next packet would wait */
			int64_t wait =
				(int64_t)sched_waiting(l->rig.sched) * wire_ns(LEN, 10000000);
			shortest = wait < shortest ? wait : shortest;
		}
	}
	return shortest;
}

static void a_standing_queue_is_gone_after_ten_intervals(void **state)
{
	(void)state;
	static struct loop l;
	static const double windows[] = { 10, 60, 200 };
	for (size_t k = 0; k < LT_COUNT(windows); k++) {
		memset(&l, 0, sizeof(l));
		start(&l.rig,
			"[interface a]\nrate = 10M\n[class x]\ndefault = yes\nlimit = 5000\n");
		l.rtt = 50 * MS;
		for (unsigned i = 0; i < SENDERS; i++)
			l.senders[i].window = windows[k];
		int64_t wait = standing_delay(&l, S + 10 * 100 * MS, S + 13 * 100 * MS);
		assert_in_range(wait, 0, 2 * 5 * MS);
		const struct sched_count *c = sched_count(l.rig.sched, 0);
		assert_true(c->codel > 0 && c->marked > 0);
		assert_true(
			(double)c->sent_bytes > 0.9 * 1.3 * 10e6 / 8); /* and the wire was busy */
		assert_balance(&l.rig);
		stop(&l.rig);
	}
}

/* The same without CoDel: the queue stays, so the test above is able to fail. */
static void without_codel_a_standing_queue_stays(void **state)
{
	(void)state;
	static struct loop l;
	memset(&l, 0, sizeof(l));
	start(&l.rig,
		"[interface a]\nrate = 10M\n[class x]\ndefault = yes\nlimit = 5000\n"
		"queue = tail-drop\n");
	l.rtt = 50 * MS;
	for (unsigned i = 0; i < SENDERS; i++)
		l.senders[i].window = 60;
	assert_true(standing_delay(&l, 2 * S, 2 * S + 300 * MS) > 100 * MS);
	stop(&l.rig);
}

static void packets_that_know_ecn_are_marked_others_dropped(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned ecn;
		bool marks;
	} cases[] = {
		{ WIRE "[class x]\ndefault = yes\n", 0, false },
		{ WIRE "[class x]\ndefault = yes\n", 1, true },
		{ WIRE "[class x]\ndefault = yes\n", 2, true },
		{ WIRE "[class x]\ndefault = yes\n", 3, true },
		{ WIRE "[class x]\ndefault = yes\necn = no\n", 1, false },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct rig rig;
		start(&rig, cases[i].text);
		for (int64_t t = S; t < 3 * S; t += wire_ns(1000, 15000000))
			put(&rig, t, 0, 1000, cases[i].ecn);
		run(&rig, INT64_MAX);
		const struct sched_count *c = sched_count(rig.sched, 0);
		assert_int_equal(c->marked > 0, cases[i].marks);
		assert_int_equal(c->codel > 0, !cases[i].marks);
		assert_balance(&rig);
		stop(&rig);
	}
}

static void a_short_queue_is_left_alone(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, WIRE "[class x]\ndefault = yes\n");
	/* bursts of 4 ms every 10 ms */
	for (int64_t t = S; t < 5 * S; t += 10 * MS)
		for (int i = 0; i < 5; i++)
			put(&rig, t, 0, 1000, 0);
	run(&rig, INT64_MAX);
	assert_int_equal(sched_count(rig.sched, 0)->codel, 0);
	assert_int_equal(sched_count(rig.sched, 0)->sent, sched_count(rig.sched, 0)->put);
	stop(&rig);
}

/* ---- the model ---- */

static void compare(const char *text, uint64_t seed, double load)
{
	struct rig rig;
	start(&rig, text);
	rig.dice.state = seed;
	struct model *m = model_new(rig.conf, 0);
	int64_t now = 1700000000 * S;
	unsigned n = (unsigned)rig.conf->n_classes;
	for (uint64_t i = 0; i < 8000; i++) {
		/* loads come and go */
		double phase = i / 300 % 2 ? load : load / 4;
		uint32_t len = 60 + (dice_below(&rig.dice, 2) ? dice_below(&rig.dice, 1459) : 0);
		if (dice_below(&rig.dice, 4))
			now += (int64_t)((double)wire_ns(len, rig.conf->nics[0].rate_bps) * 8.0 /
				3 / phase * dice_below(&rig.dice, 1000) / 1000);
		struct sched_item item = { .packet = i,
			.time_ns = now,
			.len = len,
			.cls = (uint8_t)dice_below(&rig.dice, n),
			.ecn = (uint8_t)dice_below(&rig.dice, 3) };
		run(&rig, now);
		model_run(m, now);
		sched_put(rig.sched, &item);
		model_put(m, &item);
	}
	run(&rig, INT64_MAX);
	model_run(m, INT64_MAX);
	size_t hit = 0;
	for (size_t i = 0; i < n_outs && i < m->n_out; i++) {
		const struct sched_out *a = &outs[i], *b = &m->out[i];
		hit += a->fate != SCHED_SENT;
		if (a->packet != b->packet || a->time_ns != b->time_ns || a->fate != b->fate ||
			a->cls != b->cls || a->len != b->len)
			fail_msg("%s\nload %.1f, %zu-th: packet %llu at %lld is %u, not %llu at "
				 "%lld %u",
				text, load, i, (unsigned long long)a->packet, (long long)a->time_ns,
				a->fate, (unsigned long long)b->packet, (long long)b->time_ns,
				b->fate);
	}
	assert_int_equal(n_outs, m->n_out);
	assert_balance(&rig);
	if (strstr(text, "target") && load > 2)
		assert_true(hit > 10);
	model_free(m);
	stop(&rig);
}

static void the_scheduler_does_what_its_model_does(void **state)
{
	(void)state;
	static const char *const texts[] = {
		WIRE "[class a]\nqueue = tail-drop\ndefault = yes\n",
		WIRE
		"[class a]\nqueue = tail-drop\n[class b]\nqueue = tail-drop\nweight = 3\nlimit = "
		"50\n[class c]\nqueue = tail-drop\ndefault = yes\n",
		"[interface a]\nrate = 1234567\nmtu = 576\n[class a]\nqueue = tail-drop\nweight = "
		"2\n[class b]\nqueue = tail-drop\nweight = 3\ndefault = yes\n",
		WIRE "[class s]\nstrict = yes\nrate = 20%\n[class t]\nstrict = yes\nrate = 1500k\n"
		     "burst = 200\n[class a]\nqueue = tail-drop\n[class b]\nqueue = tail-drop\n"
		     "weight = 4\ndefault = yes\n",
		WIRE "[class a]\ntarget = 2ms\ninterval = 20ms\ndefault = yes\n",
		WIRE "[class s]\nstrict = yes\nrate = 20%\n[class a]\ntarget = 1ms\n"
		     "interval = 10ms\nlimit = 100\ndefault = yes\n",
		WIRE "[class a]\ntarget = 1ms\ninterval = 30ms\necn = no\ndefault = yes\n",
	};
	static const double loads[] = { 0.7, 1.2, 3, 8 };
	for (size_t i = 0; i < LT_COUNT(texts); i++)
		for (size_t k = 0; k < LT_COUNT(loads); k++)
			compare(texts[i], i * 100 + k + 1, loads[k]);
}

/* How results are fetched makes no difference. */
static void bursts_make_no_difference(void **state)
{
	(void)state;
	static struct sched_out first[MODEL_MAX];
	static const size_t bursts[] = { 256, 1, 7 };
	size_t n = 0;
	for (size_t k = 0; k < LT_COUNT(bursts); k++) {
		struct rig rig;
		start(&rig, WIRE "[class a]\n[class b]\nweight = 3\n" EF);
		rig.burst = bursts[k];
		for (uint64_t i = 0; i < 5000; i++) {
			int64_t now = S + (int64_t)i * 300000;
			struct sched_item item = { .packet = i,
				.time_ns = now,
				.len = 60 + dice_below(&rig.dice, 1400),
				.cls = (uint8_t)dice_below(&rig.dice, 4),
				.ecn = (uint8_t)dice_below(&rig.dice, 4) };
			run(&rig, now);
			sched_put(rig.sched, &item);
		}
		run(&rig, INT64_MAX);
		if (!k) {
			n = n_outs;
			memcpy(first, outs, n * sizeof(outs[0]));
		}
		assert_int_equal(n_outs, n);
		assert_memory_equal(first, outs, n * sizeof(outs[0]));
		stop(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_idle_wire_sends_at_once),
		cmocka_unit_test(nothing_happens_at_the_time_itself),
		cmocka_unit_test(no_fraction_of_a_nanosecond_is_lost),
		cmocka_unit_test(time_does_not_go_back),
		cmocka_unit_test(ef_is_not_lost_and_hardly_waits_under_overload),
		cmocka_unit_test(a_strict_class_cannot_starve_the_others),
		cmocka_unit_test(a_strict_class_may_use_what_others_leave),
		cmocka_unit_test(a_packet_larger_than_the_bucket_does_not_wait_forever),
		cmocka_unit_test(classes_share_by_weight_whatever_the_size_of_their_packets),
		cmocka_unit_test(what_a_class_does_not_use_goes_to_the_others),
		cmocka_unit_test(a_full_queue_refuses_and_counts),
		cmocka_unit_test(packets_of_a_class_leave_in_their_order),
		cmocka_unit_test(a_standing_queue_is_gone_after_ten_intervals),
		cmocka_unit_test(without_codel_a_standing_queue_stays),
		cmocka_unit_test(packets_that_know_ecn_are_marked_others_dropped),
		cmocka_unit_test(a_short_queue_is_left_alone),
		cmocka_unit_test(the_scheduler_does_what_its_model_does),
		cmocka_unit_test(bursts_make_no_difference),
	};
	return cmocka_run_group_tests_name("router scheduler", tests, NULL, NULL);
}
