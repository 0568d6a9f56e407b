/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that are the same on every machine for the same seed: orders of
 * runs, randomisation tests, simulations. Not for secrets.
 */
#ifndef STATS_RNG_H
#define STATS_RNG_H

#include <stddef.h>
#include <stdint.h>

/* xoshiro256**, Blackman and Vigna, doi 10.1145/3460772. */
struct stats_rng {
	uint64_t s[4];
};

/* Start r from any seed, 0 included; the state is filled by splitmix64. */
void stats_rng_seed(struct stats_rng *r, uint64_t seed);

uint64_t stats_rng_u64(struct stats_rng *r);

/* Uniform in 0 .. n-1, without bias; n > 0. Lemire 2019, doi 10.1145/3230636. */
uint64_t stats_rng_below(struct stats_rng *r, uint64_t n);

/* Uniform in [0, 1), a multiple of 2^-53. */
double stats_rng_uniform(struct stats_rng *r);

/* Standard normal; takes a varying number of values from r (Marsaglia's polar method). */
double stats_rng_normal(struct stats_rng *r);

/* Every order of a[0..n-1] equally likely (Fisher and Yates). */
void stats_rng_shuffle(struct stats_rng *r, int *a, size_t n);

#endif
