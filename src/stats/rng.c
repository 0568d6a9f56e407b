/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xoshiro256** and what is drawn from it. Written from the papers; the reference
 * values are in the test.
 */
#include "stats/rng.h"

#include <math.h>

static uint64_t rotl(uint64_t x, unsigned k)
{
	return (x << k) | (x >> (64 - k));
}

static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}

void stats_rng_seed(struct stats_rng *r, uint64_t seed)
{
	for (size_t i = 0; i < 4; i++)
		r->s[i] = splitmix64(&seed);
}

uint64_t stats_rng_u64(struct stats_rng *r)
{
	uint64_t *s = r->s;
	const uint64_t ret = rotl(s[1] * 5, 7) * 9;
	const uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return ret;
}

uint64_t stats_rng_below(struct stats_rng *r, uint64_t n)
{
	__extension__ typedef unsigned __int128 u128;
	u128 product = (u128)stats_rng_u64(r) * n;

	if ((uint64_t)product < n) {
		const uint64_t reject_below = (0 - n) % n;

		while ((uint64_t)product < reject_below)
			product = (u128)stats_rng_u64(r) * n;
	}
	return (uint64_t)(product >> 64);
}

double stats_rng_uniform(struct stats_rng *r)
{
	return (double)(stats_rng_u64(r) >> 11) * 0x1p-53;
}

double stats_rng_normal(struct stats_rng *r)
{
	double u, s;

	do {
		const double v = 2 * stats_rng_uniform(r) - 1;

		u = 2 * stats_rng_uniform(r) - 1;
		s = u * u + v * v;
	} while (s >= 1 || s <= 0);
	return u * sqrt(-2 * log(s) / s);
}

void stats_rng_shuffle(struct stats_rng *r, int *a, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		const size_t j = (size_t)stats_rng_below(r, i);
		const int t = a[i - 1];

		a[i - 1] = a[j];
		a[j] = t;
	}
}
