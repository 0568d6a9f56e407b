# SPDX-License-Identifier: GPL-2.0-or-later
"""The HTML report, as a browser shows it: headless Chromium opens the page, a probe reads back
what the charts hold and, from their pixels, what they show; both are compared with the record."""

import copy
import html
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import leat

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
RECORDS = os.path.join(leat.SOURCE, "tests/golden/records")

# Reads the page from inside. Colours are those of the series; an interval is what is seen of its
# colour on the line through its point, further than the point's mark.
PROBE = r"""
<script>
function rgb(text) {
	return [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16));
}
/* First and last place of these colours on a line of pixels, as values of the scale. */
function extent(u, at, colors) {
	const sideways = u.scales.x.ori === 1, b = u.bbox;
	const line = sideways ? u.ctx.getImageData(b.left, Math.round(at), b.width, 1)
		: u.ctx.getImageData(Math.round(at), b.top, 1, b.height);
	const hits = [];
	for (let i = 0; i < line.data.length / 4; i++) {
		const p = line.data.slice(4 * i, 4 * i + 4);
		if (p[3] > 200 && colors.some(c => c.every((v, k) => Math.abs(v - p[k]) < 12)))
			hits.push(i);
	}
	if (!hits.length)
		return null;
	const from = sideways ? b.left : b.top;
	const ends = [hits[0], hits[hits.length - 1]].map(i => u.posToVal(from + i, "y", true));
	return ends.sort((a, c) => a - c);
}
function paint(u, k) {
	const value = how => typeof how === "function" ? how(u, k) : how;
	return rgb(value(u.series[k].fill) || value(u.series[k].stroke));
}
function look(seen) {
	for (const name in window.leat.charts) {
		const u = window.leat.charts[name], bars = name === "ledger" || name === "used";
		const all = u.series.map((s, k) => k).slice(1);
		seen.charts[name] = {
			labels: u.series.map(s => s.label),
			data: u.data.map(column => Array.from(column)),
			shown: u.data[0].map(function (x, i) {
				const at = u.valToPos(x, "x", true);
				if (bars)
					return extent(u, at, all.map(k => paint(u, k)));
				return all.map(k => u.data[k][i] === null ? null : extent(u, at, [paint(u, k)]));
			}),
			step: 2 / u.bbox.height * (u.scales.y.max - u.scales.y.min),
		};
	}
}
function tell() {
	const seen = { errors: window.probe_errors, charts: {},
		canvases: document.querySelectorAll("canvas").length };
	try {
		look(seen);
	} catch (e) {
		seen.errors.push(String(e));
	}
	const pre = document.createElement("pre");
	pre.id = "probe";
	pre.textContent = JSON.stringify(seen);
	document.body.append(pre);
}
window.addEventListener("load", () => setTimeout(tell, 300));
</script>
"""
CATCH = '<script>window.probe_errors = [];' \
        'window.onerror = text => window.probe_errors.push(String(text));</script>'


def browser():
    for name in BROWSERS:
        path = shutil.which(name)
        if path:
            return path
    return None


class Html(leat.Case):
    def record_of(self, name):
        with open(os.path.join(RECORDS, name + ".json"), encoding="utf-8") as file:
            return json.load(file)

    def page(self, record):
        self.write("record.json", json.dumps(record))
        return self.ok("report", "-f", "html", "record.json").out

    def open(self, page):
        """What the probe saw, and the page as the browser had it at the end."""
        probed = page.replace("<head>", "<head>" + CATCH, 1).replace("</body>", PROBE + "</body>")
        self.write("page.html", probed)
        profile = os.path.join(self.dir, "profile")
        self.files.add("profile")
        dom = subprocess.run(
            ["timeout", "80", browser(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND",
             "--user-data-dir=" + profile, "--window-size=1000,2000",
             "--virtual-time-budget=5000", "--dump-dom", "file://" + self.path("page.html")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=90, check=True
        ).stdout.decode("utf-8")
        self.reap_browser()
        found = re.search(r'<pre id="probe">(.*?)</pre>', dom, re.S)
        self.assertTrue(found, "the probe saw no chart")
        seen = json.loads(html.unescape(found[1]))
        self.assertEqual(seen["errors"], [])
        return seen, dom

    def reap_browser(self):
        """Its helpers end after it, and this process inherits them."""
        def gone():
            for pid, (comm, _) in leat.children().items():
                if comm.startswith("chrom"):
                    os.waitpid(pid, os.WNOHANG)
            return not any(comm.startswith("chrom") for comm, _ in leat.children().values())
        leat.wait_until(gone)

    def need_browser(self):
        if not browser():
            self.skipTest("no Chromium")

    def test_charts_hold_and_show_what_the_record_says(self):
        self.need_browser()
        record = self.record_of("scale-slower")
        for point in record["curve"]:  # wide enough to be seen beside the mark
            if point["speedup"] != 1 and point["speedup_lo"] is not None:
                point["speedup_lo"], point["speedup_hi"] = 0.7 * point["speedup"], 1.4 * point["speedup"]
        for remedy in record["remedies"]:
            if remedy["lo"] is not None:
                remedy["lo"], remedy["hi"] = 0.6 * remedy["ratio"], 1.7 * remedy["ratio"]
        seen, _ = self.open(self.page(record))
        self.assertEqual(seen["canvases"], 4)
        self.check_curve(record, seen["charts"]["curve"])
        self.check_ledger(record["ledger"], seen["charts"]["ledger"])
        self.check_used(record["ledger"], seen["charts"]["used"])
        self.check_remedies(record, seen["charts"]["remedies"])

    def check_curve(self, record, chart):
        best = [r["name"] for r in record["remedies"] if r["best"]]
        threads = chart["data"][0]
        self.assertEqual(threads, sorted({p["threads"] for p in record["curve"]}))
        self.assertEqual(chart["data"][1], [min(t, record["scaling"]["cpus"]) for t in threads])
        shown = 0
        for point in record["curve"]:
            if point["remedy"] and point["remedy"] not in best:
                continue
            label = "with " + point["remedy"] if point["remedy"] else "as it is"
            series = chart["labels"].index(label)
            i = threads.index(point["threads"])
            value = point["speedup"] if isinstance(point["speedup"], (int, float)) else None
            self.assertEqual(chart["data"][series][i], value)
            if value is None or point["speedup_lo"] is None:
                continue
            lo, hi = chart["shown"][i][series - 1]
            self.assertAlmostEqual(lo, point["speedup_lo"], delta=2 * chart["step"])
            self.assertAlmostEqual(hi, point["speedup_hi"], delta=2 * chart["step"])
            shown += 1
        self.assertGreater(shown, 1)

    def check_ledger(self, ledger, chart):
        parts = ["useful", "user", "system", "idle", "unexplained"]
        wanted = dict.fromkeys(parts, 0.0)
        wanted["useful"] = ledger["useful_ns"] / 1e9
        wanted["unexplained"] = ledger["unexplained_ns"] / 1e9
        for line in ledger["lines"]:
            wanted[line["part"]] += line["core_ns"] / 1e9
        self.assertEqual(len(chart["labels"]), 1 + 2 + len(ledger["lines"]))
        for i, part in enumerate(parts):
            tops = [column[i] for column in chart["data"][1:] if column[i] is not None]
            self.assertAlmostEqual(max(tops, default=0), wanted[part], places=9)
            if wanted[part] > 5 * chart["step"]:
                self.assertAlmostEqual(chart["shown"][i][1], wanted[part], delta=2 * chart["step"])

    def check_used(self, ledger, chart):
        self.assertEqual(chart["data"][0], [c["cores"] for c in ledger["used"]])
        for i, cores in enumerate(ledger["used"]):
            self.assertAlmostEqual(chart["data"][1][i], cores["ns"] / 1e9, places=9)
            if cores["ns"] / 1e9 > 5 * chart["step"]:
                self.assertAlmostEqual(
                    chart["shown"][i][1], cores["ns"] / 1e9, delta=2 * chart["step"])

    def check_remedies(self, record, chart):
        known = [r for r in record["remedies"] if isinstance(r["ratio"], (int, float))]
        self.assertEqual(len(chart["data"][0]), len(known))
        self.assertGreater(len(known), 1)
        for i, remedy in enumerate(known):
            series = 1 if remedy["verdict"] == "helps" else 2
            self.assertEqual(chart["data"][series][i], remedy["ratio"])
            self.assertIsNone(chart["data"][3 - series][i])
            lo, hi = chart["shown"][i][series - 1]
            self.assertAlmostEqual(lo / remedy["lo"], 1, delta=0.02)
            self.assertAlmostEqual(hi / remedy["hi"], 1, delta=0.02)

    def test_every_stored_sweep_opens_without_error(self):
        self.need_browser()
        for name in ("scale-crossed", "scale-failed", "scale-law", "scale-factor"):
            record = self.record_of(name)
            seen, dom = self.open(self.page(record))
            self.assertIn("</table>", dom)
            self.assertNotIn("ledger", seen["charts"])
            if name != "scale-factor":
                curve = seen["charts"]["curve"]["data"]
                self.assertEqual(curve[0], sorted({p["threads"] for p in record["curve"]}))

    def test_page_needs_no_network(self):
        for name in ("scale-slower", "compare-faster"):
            page = self.page(self.record_of(name))
            self.assertIn("default-src 'none'", page)
            markup = re.sub(r"<script.*?</script>|<!--.*?-->", "", page, flags=re.S)
            self.assertNotRegex(markup, r"(?i)\b(src|href|srcset|action)\s*=|url\(|@import")
            self.assertNotRegex(page, r"<script[^>]*\bsrc")
            self.assertNotRegex(page, r"\b(fetch|XMLHttpRequest|WebSocket|importScripts|sendBeacon)\b")

    def test_what_is_said_is_there_without_a_script(self):
        record = self.record_of("scale-slower")
        page = self.page(record)
        text = html.unescape(re.sub(r"<script.*?</script>", "", page, flags=re.S))
        for remedy in record["remedies"]:
            self.assertIn(remedy["name"], text)
        for line in record["ledger"]["lines"]:
            self.assertIn(line["function"], text)
        self.assertIn('<pre id="change">taskset -c 0,1</pre>', page)
        self.assertIn("Permission is hereby granted", page)  # the chart library's licence

    def test_hostile_names_stay_names(self):
        evil = "</script><script>window.hacked=1</script>\"'&<img src=x onerror=hacked=1>"
        record = copy.deepcopy(self.record_of("scale-slower"))
        record["scaling"]["command"] = evil
        record["remedies"][0]["name"] = evil
        record["remedies"][0]["change"] = evil
        record["ledger"]["lines"][0]["function"] = evil
        record["findings"] = [dict(f, name=evil) for f in record["findings"]]
        for point in record["curve"]:
            if point["remedy"]:
                point["remedy"] = evil
        for variant in record["plan"]["variants"] if "variants" in record["plan"] else record["variants"]:
            if variant.get("remedy"):
                variant["remedy"] = evil
        page = self.page(record)
        self.assertNotIn("<script>window.hacked", page)
        self.assertNotIn("<img", page)
        if browser():
            seen, dom = self.open(page.replace(
                "window.leat = {", "window.leat = { hacked: String(window.hacked),"))
            self.assertIn("with " + evil, seen["charts"]["curve"]["labels"])
            self.assertNotIn("<img", dom)

    def test_scale_writes_the_page_beside_the_text(self):
        result = self.leat("scale", "--curve", "--even-busy", "-n", "1", "--threads", "1,2",
                           "--html", "page.html", "--", "true", "{threads}", timeout=60)
        self.assertIn(result.code, (0, leat.CANNOT), result)
        self.files.add("page.html")
        with open(self.path("page.html"), encoding="utf-8") as file:
            self.assertIn('id="chart-curve"', file.read())

    def test_two_reports_do_not_share_a_file(self):
        self.assert_refused(self.leat("run", "-n", "1", "--html", "x", "--json", "x", "true"),
                            "two reports")


def built_with_charts():
    """Whether this leat can write the page at all; the reason if it cannot."""
    tried = subprocess.run([leat.LEAT, "report", "-f", "html", os.path.join(RECORDS, "empty.json")],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return tried.returncode == 0, tried.stderr.decode("utf-8", "replace")


if __name__ == "__main__":
    there, why = built_with_charts()
    if not there:
        print("skipped:", why)
        sys.exit(77)
    leat.main()
