/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Confidence sequence for a mean: an interval that may be looked at after every
 * value, and stopped on, without raising the rate of false alarms.
 */
#ifndef STATS_CONFSEQ_H
#define STATS_CONFSEQ_H

#include <stddef.h>

/* From how many values on the sequence says anything: it is an asymptotic one. */
#define STATS_CONFSEQ_START 10

/*
 * Half-width about the mean after t values of standard deviation sd, in their unit.
 * The miss rate is alpha over all t >= STATS_CONFSEQ_START together. planned is the t at
 * which it is narrowest. INFINITY before the start; 0 for sd 0.
 * Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit
 * theory and asymptotic confidence sequences, arXiv 2103.06476. Theirs is asymptotic; here
 * sd is widened by sqrt((t - 1) / (t - 3)), the SD of Student's t, to pay for not knowing
 * it. Simulated up to t = 200, six kinds of noise, planned 60: 1.2 to 4.0 % for alpha 5 %,
 * 0.3 to 1.7 % for 1.67 %, 0.1 to 0.8 % for 0.5 %.
 */
double stats_confseq_half_width(size_t t, double sd, double alpha, size_t planned);

/*
 * The alpha at which the sequence tuned for alpha and planned would just exclude 0:
 * a p-value valid at whatever time one stops. 1 before the start; for sd 0 it is
 * 1 if mean is 0, else 0.
 */
double stats_confseq_p(size_t t, double mean, double sd, double alpha, size_t planned);

#endif
