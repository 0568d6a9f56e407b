/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws the charts of a sweep from the numbers in the page, which are those of the record. */
(function () {
	"use strict";

	const numbers = JSON.parse(document.getElementById("numbers").textContent);
	const charts = {};
	const parts = ["useful", "user", "system", "idle", "unexplained"];
	const hues = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

	function color(name) {
		return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
	}

	function axis(more) {
		return Object.assign({
			stroke: color("ink"),
			grid: { stroke: color("line"), width: 1 },
			ticks: { stroke: color("line"), width: 1 },
		}, more);
	}

	/* A chart as wide as the page, now and when the page changes. */
	function draw(name, height, options, data) {
		const figure = document.getElementById("chart-" + name);
		if (!figure)
			return;
		const width = () => Math.max(280, figure.clientWidth);
		const all = Object.assign({ width: width(), height: height }, options);
		const u = charts[name] = new uPlot(all, data, figure);
		new ResizeObserver(function () {
			if (u.width !== width())
				u.setSize({ width: width(), height: height });
		}).observe(figure);
	}

	/* Intervals as bars with caps through the points of a series; for charts that lie on
	 * their side, too. `sets`: { color, lo: [], hi: [] }, one value for each x or null. */
	function intervals(sets) {
		function bar(u, ctx, x, lo, hi) {
			const at = u.valToPos(x, "x", true), cap = 4 * uPlot.pxRatio;
			const a = u.valToPos(lo, "y", true), b = u.valToPos(hi, "y", true);
			const sideways = u.scales.x.ori === 1;
			const line = function (x0, y0, x1, y1) {
				ctx.moveTo(sideways ? y0 : x0, sideways ? x0 : y0);
				ctx.lineTo(sideways ? y1 : x1, sideways ? x1 : y1);
			};
			ctx.beginPath();
			line(at, a, at, b);
			line(at - cap, a, at + cap, a);
			line(at - cap, b, at + cap, b);
			ctx.stroke();
		}
		return {
			hooks: {
				draw: [function (u) {
					const ctx = u.ctx;
					ctx.save();
					ctx.lineWidth = 2 * uPlot.pxRatio;
					for (const set of sets) {
						ctx.strokeStyle = set.color;
						set.lo.forEach(function (lo, i) {
							if (lo !== null && set.hi[i] !== null)
								bar(u, ctx, u.data[0][i], lo, set.hi[i]);
						});
					}
					ctx.restore();
				}],
			},
		};
	}

	/* ---- speed-up over threads ---- */

	/* One series for each combination of other factors, without and with the remedy. */
	function curves() {
		const found = new Map();
		for (const p of numbers.curve) {
			const name = [p.of, p.remedy ? "with " + p.remedy : ""].filter(Boolean).join(", ");
			if (!found.has(name))
				found.set(name, { name: name || "as it is", remedy: p.remedy, points: [] });
			found.get(name).points.push(p);
		}
		return [...found.values()];
	}

	function drawCurve() {
		const threads = [...new Set(numbers.curve.map(p => p.threads))].sort((a, b) => a - b);
		const sets = curves();
		const pick = (set, key) => threads.map(function (t) {
			const p = set.points.find(q => q.threads === t);
			return p && p[key] !== undefined ? p[key] : null;
		});
		if (threads.length < 2)
			return;
		let plain = 0;
		for (const set of sets)
			set.color = color(set.remedy ? "after" : plain++ ? hues[plain % hues.length] : "before");
		const top = Math.max(...threads);
		draw("curve", 360, {
			scales: {
				x: { time: false, range: [Math.min(...threads) - 0.5, top + 0.5] },
				y: { range: (u, min, max) => [0, Math.max(max, ...sets.flatMap(
					s => pick(s, "hi").filter(v => v !== null))) * 1.08] },
			},
			axes: [
				axis({ label: "threads", splits: () => threads, values: (u, v) => v }),
				axis({ label: "speed-up" }),
			],
			series: [
				{ label: "threads" },
				{ label: "as many as CPUs", stroke: color("ideal"), dash: [6, 6],
					points: { show: false } },
			].concat(sets.map(set => ({
				label: set.name, stroke: set.color, width: 2, spanGaps: true,
				points: { show: true, size: 8, fill: set.color },
			}))),
			plugins: [intervals(sets.map(set => ({
				color: set.color, lo: pick(set, "lo"), hi: pick(set, "hi"),
			})))],
		}, [threads, threads.map(t => Math.min(t, numbers.cpus))].concat(
			sets.map(set => pick(set, "speedup"))));
	}

	/* ---- the ledger, stacked ---- */

	/* A bar begins at 0, so that the farther end of a stack is drawn first. */
	function stack(pieces) {
		const ends = [0, 0];
		const stacked = pieces.map(function (p) {
			const side = p.s < 0 ? 1 : 0;
			ends[side] += p.s;
			return Object.assign({ end: ends[side] }, p);
		});
		return stacked.reverse();
	}

	function drawLedger() {
		const l = numbers.ledger;
		const pieces = [{ part: "useful", what: "useful", s: l.useful }].concat(l.lines,
			[{ part: "unexplained", what: "unexplained", s: l.unexplained }]);
		const series = parts.flatMap(part => stack(pieces.filter(p => p.part === part)));
		const bars = uPlot.paths.bars({ size: [0.6, 120] });
		let hue = 0;
		for (const p of series)
			p.color = color(p.part === "useful" ? "useful"
				: p.part === "unexplained" ? "ideal" : hues[hue++ % hues.length]);
		draw("ledger", 340, {
			scales: { x: { time: false, range: [-0.6, parts.length - 0.4] } },
			axes: [
				axis({ splits: () => parts.map((p, i) => i), values: () => parts,
					grid: { show: false } }),
				axis({ label: "core-seconds" }),
			],
			series: [{ label: "part", value: (u, v) => v === null ? "" : parts[v] }].concat(
				series.map(p => ({
					label: p.what, fill: p.color, stroke: p.color, width: 0, paths: bars,
					points: { show: false },
					value: (u, v) => v === null ? "" : p.s.toPrecision(3) + " s",
				}))),
		}, [parts.map((p, i) => i)].concat(series.map(
			p => parts.map(part => part === p.part ? p.end : null))));
	}

	/* ---- cores in use ---- */

	function drawUsed() {
		const used = numbers.ledger.used, cores = used.map(c => c.cores);
		if (!used.length)
			return;
		draw("used", 240, {
			scales: {
				x: { time: false, range: [-0.6, Math.max(...cores) + 0.6] },
				y: { range: (u, min, max) => [0, max * 1.05] },
			},
			axes: [
				axis({ label: "cores in use", splits: () => cores, values: (u, v) => v,
					grid: { show: false } }),
				axis({ label: "seconds" }),
			],
			series: [{ label: "cores" }, {
				label: "time", fill: color("five"), stroke: color("five"), width: 0,
				paths: uPlot.paths.bars({ size: [0.6, 90] }), points: { show: false },
				value: (u, v) => v === null ? "" : v.toPrecision(3) + " s",
			}],
		}, [cores, used.map(c => c.s)]);
	}

	/* ---- remedies against 1 ---- */

	/* 0.5, 1, 2, ... within the scale, few enough to be told apart. */
	function powers(u, i, min, max) {
		const all = [];
		for (let e = Math.ceil(Math.log2(min)); e <= Math.log2(max); e++)
			all.push(2 ** e);
		const step = Math.ceil(all.length / 8), one = all.indexOf(1);
		return all.filter((v, k) => (k - one) % step === 0);
	}

	function drawRemedies() {
		const r = numbers.remedies, places = r.map((x, i) => i);
		if (!r.length)
			return;
		const ends = r.flatMap(x => [x.ratio, x.lo, x.hi]).filter(v => v !== null).concat(1);
		const hue = color("five"), won = color("after");
		const is = test => r.map((x, i) => test(x) ? x.ratio : null);
		draw("remedies", 90 + 32 * r.length, {
			scales: {
				x: { time: false, ori: 1, dir: -1, range: [-0.7, r.length - 0.3] },
				y: { ori: 0, dir: 1, distr: 3, log: 2,
					range: [Math.min(...ends) / 1.2, Math.max(...ends) * 1.2] },
			},
			axes: [
				axis({ side: 3, size: 150, splits: () => places,
					values: (u, v) => v.map(i => r[i] ? r[i].name : ""), grid: { show: false } }),
				axis({ side: 2, size: 60, label: "times faster", splits: powers }),
			],
			series: [{ label: "remedy", value: (u, v) => v === null ? "" : r[v].name }, {
				label: "proved", stroke: won, paths: () => null,
				points: { show: true, size: 10, fill: won },
			}, {
				label: "not proved", stroke: hue, paths: () => null,
				points: { show: true, size: 8, fill: hue },
			}],
			plugins: [intervals([
				{ color: hue, lo: r.map(x => x.verdict === "helps" ? null : x.lo), hi: r.map(x => x.hi) },
				{ color: won, lo: r.map(x => x.verdict === "helps" ? x.lo : null), hi: r.map(x => x.hi) },
			]), {
				hooks: { drawAxes: [function (u) {
					const at = u.valToPos(1, "y", true), ctx = u.ctx;
					ctx.save();
					ctx.strokeStyle = color("ink");
					ctx.lineWidth = uPlot.pxRatio;
					ctx.setLineDash([4 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
					ctx.beginPath();
					ctx.moveTo(at, u.bbox.top);
					ctx.lineTo(at, u.bbox.top + u.bbox.height);
					ctx.stroke();
					ctx.restore();
				}] },
			}],
		}, [places, is(x => x.verdict === "helps"), is(x => x.verdict !== "helps")]);
	}

	drawCurve();
	if (numbers.ledger) {
		drawLedger();
		drawUsed();
	}
	drawRemedies();
	window.leat = { numbers: numbers, charts: charts };
}());
