/* SPDX-License-Identifier: GPL-2.0-or-later */
/* False alarms on a real, noisy machine: a program is compared with itself again and again
 * while a CPU hog runs beside it. Takes some minutes: for the night.
 *   make bench B=aa                 300 comparisons of 20 pairs
 *   tools/bench aa COMPARISONS PAIRS METRIC */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/run_leat.h"

int main(int argc, char **argv)
{
	int comparisons = argc > 1 ? atoi(argv[1]) : 300, pairs = argc > 2 ? atoi(argv[2]) : 20;
	const char *metric = argc > 3 ? argv[3] : "wall";
	char path[256];
	int alarms = 0, done = 0;
	if (comparisons < 1 || pairs < 6 || bench_compile(bench_spin, "", path) != 0) {
		fprintf(stderr, "aa: [COMPARISONS [PAIRS [METRIC]]], PAIRS at least 6; needs cc\n");
		return 2;
	}
	pid_t hog = bench_hog_start();
	for (int i = 0; i < comparisons; i++) {
		char line[1024];
		snprintf(line, sizeof(line),
			"build/bin/leat compare -n %d --primary %s --seed %d --json - -- a=%s b=%s",
			pairs, metric, 1000 + i, path, path);
		LT_AUTO_RECORD struct record *rec = bench_record(line);
		for (size_t k = 0; rec && k < rec->n_comparisons; k++) {
			const struct comparison *c = &rec->comparisons[k];
			if (!c->primary || isnan(c->lo))
				continue;
			done++;
			alarms += c->lo > 1 || c->hi < 1;
		}
	}
	bench_hog_stop(hog);
	unlink(path);
	printf("%d comparisons of %d pairs, %s, one CPU hog: %d found a difference that is not "
	       "there\n",
		done, pairs, metric, alarms);
	bench_goal("aa-false-alarms", done == comparisons ? 100.0 * alarms / done : NAN, "%", 7);
	return 0;
}
