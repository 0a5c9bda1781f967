#!/usr/bin/env python3
"""Draws what time-plan.py and run-ladder.py measured as two SVG files.

    utils/gpu/plot.py bench.jsonl ladder.jsonl --out=DIR --peak="f16 tensor cores=989.4" --peak="f32 CUDA cores=67" \\
        --bandwidth="HBM3e=4800" --source="data sheet of the card"

DIR/ladder.svg has a bar for each rung of a set, on a log scale. DIR/roofline.svg
has a point for each case, ours and cuBLAS's, under the peaks (TFLOP/s) and
bandwidths (GB/s) given, over the FLOP for each byte of operands and result.
Which of the two is drawn follows from the rows. Needs no library; the same rows
and flags give the same bytes.
"""

import argparse
import json
import math
import pathlib
import sys
from xml.sax.saxutils import escape

# Told apart by anyone, also in grey (Okabe and Ito's palette), and by shape.
OURS, PEER, LINE, TEXT, FAINT = "#0072B2", "#D55E00", "#999999", "#222222", "#E4E4E4"
FONT = 12
# Width of a character in ems, on the safe side for the usual sans-serif fonts.
EM = 0.62


def width_of(text, size=FONT):
    return len(text) * EM * size


class Picture:
    """Elements of an SVG, and the boxes that labels must keep clear of."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts, self.boxes = [], []

    def text(self, x, y, text, anchor="start", size=FONT, colour=TEXT, weight="normal"):
        """Text whose baseline begins (anchor start), is centred or ends at x, y."""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
                          f'font-weight="{weight}">{escape(text)}</text>')
        self.boxes.append(self.text_box(x, y, text, anchor, size))

    @staticmethod
    def text_box(x, y, text, anchor="start", size=FONT):
        left = x - {"start": 0, "middle": 0.5, "end": 1}[anchor] * width_of(text, size)
        return left, y - 0.8 * size, left + width_of(text, size), y + 0.25 * size

    def line(self, x1, y1, x2, y2, colour=LINE, width=1.0, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                          f'stroke-width="{width}"{dashes}/>')

    def roof(self, x1, y1, x2, y2):
        """A line that labels keep clear of."""
        self.line(x1, y1, x2, y2, TEXT, 1.2)
        pieces = max(1, int(math.hypot(x2 - x1, y2 - y1) / 4))
        for i in range(pieces + 1):
            x, y = x1 + (x2 - x1) * i / pieces, y1 + (y2 - y1) * i / pieces
            self.boxes.append((x - 1, y - 2, x + 1, y + 2))

    def bar(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>')

    def dot(self, x, y, ours):
        if ours:
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{OURS}"/>')
        else:
            self.parts.append(f'<path d="M{x:.1f} {y - 5:.1f} l5 5 l-5 5 l-5 -5 z" fill="none" stroke="{PEER}" '
                              'stroke-width="1.6"/>')
        self.boxes.append((x - 5, y - 5, x + 5, y + 5))

    def free(self, box, inside):
        """Whether a box lies inside another and meets none of those that are there."""
        return (inside[0] <= box[0] and inside[1] <= box[1] and box[2] <= inside[2] and box[3] <= inside[3] and
                not any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in self.boxes))

    def label_near(self, x, y, text, inside, size, leader=False):
        """Puts a label as near to a point as there is room; with `leader`, a line to it from afar."""
        for radius in range(8, 400, 4):
            for step in range(16):
                angle = math.pi * (step / 8 - 0.25)
                at_x, at_y = x + radius * math.cos(angle), y + radius * math.sin(angle) + 0.28 * size
                if self.free(self.text_box(at_x, at_y, text, "middle", size), inside):
                    if leader and radius > 16:
                        self.line(x, y, at_x, at_y - 0.28 * size, LINE, 0.6)
                    self.text(at_x, at_y, text, "middle", size)
                    return
        raise ValueError(f"no room for the label '{text}'")

    def write(self, path):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.0f} {self.height:.0f}" '
                f'width="{self.width:.0f}" height="{self.height:.0f}" role="img" '
                'font-family="Helvetica, Arial, sans-serif">')
        # Lines lie below text, whatever was drawn first.
        below = [p for p in self.parts if p.startswith("<line")]
        above = [p for p in self.parts if not p.startswith("<line")]
        background = f'<rect width="{self.width:.0f}" height="{self.height:.0f}" fill="#FFFFFF"/>'
        lines = [head, f"<title>{escape(self.title)}</title>", background, *below, *above, "</svg>"]
        pathlib.Path(path).write_text("\n".join(lines) + "\n")


def number(value):
    """Three digits, without an exponent."""
    digits = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:.{digits}f}"


class LogScale:
    """Maps values of [low, high], widened to a 1, 2 or 5 of its decade, to [start, end]."""

    def __init__(self, low, high, start, end):
        steps = [step * 10.0 ** e for e in range(-12, 12) for step in (1, 2, 5)]
        self.low = max(s for s in steps if s <= low * 1.001)
        self.high = min(s for s in steps if s >= high * 0.999)
        self.steps = [s for s in steps if self.low <= s <= self.high]
        self.start, self.end = start, end

    def __call__(self, value):
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self):
        """Powers of ten; within two decades, 2 and 5 of them too."""
        if self.high / self.low <= 100:
            return self.steps
        return [s for s in self.steps if abs(math.log10(s) - round(math.log10(s))) < 1e-9]


def shorten(text, room, size=FONT):
    most = int(room / (EM * size))
    return text if len(text) <= most else text[: most - 1] + "…"


def draw_ladder(rungs, path):
    """A bar for each rung, cuBLAS's rate as a line across them."""
    timed = [r for r in rungs if r.get("ours")]
    peer = next((r["torch"]["tflops"] for r in timed if r.get("torch")), None)
    first = rungs[0]
    kind = "tf32" if first["tf32"] else first["type"]
    left = max(width_of(r["title"]) for r in rungs) + 24
    right_room = width_of("000.0 TFLOP/s, x 00.0") + 16
    width, row, top = left + 460 + right_room, 26, 78
    bottom = top + row * len(rungs)
    title = f"{first['m']} x {first['n']} x {first['k']} {kind} on {first.get('device', 'a GPU')}"
    picture = Picture(max(width, width_of(title, 15) + 32), bottom + 44, title)
    picture.text(16, 26, title, size=15, weight="bold")
    rates = [r["ours"]["tflops"] for r in timed] + ([peer] if peer else [])
    scale = LogScale(min(rates), max(rates), left, left + 460)
    for tick in scale.ticks():
        picture.line(scale(tick), top - 4, scale(tick), bottom, FAINT)
        picture.text(scale(tick), bottom + 16, f"{tick:g}", "middle")
    picture.text(scale(scale.high), bottom + 34, "TFLOP/s", "middle")
    if peer:
        picture.line(scale(peer), top - 12, scale(peer), bottom, PEER, 1.5, "5 3")
        picture.text(scale(peer), top - 18, f"cuBLAS {number(peer)}", "middle", colour=PEER)
    for index, rung in enumerate(rungs):
        middle = top + row * index + row / 2
        picture.text(left - 10, middle + 4, rung["title"], "end")
        if not rung.get("ours"):
            picture.text(left + 6, middle + 4, shorten(rung.get("error") or "not run", 460 + right_room - 30))
            continue
        rate = rung["ours"]["tflops"]
        picture.bar(left, middle - 8, max(scale(rate) - left, 1), 16, OURS)
        gain = f", x {rung['gain']:.2f}" if rung.get("gain") else ""
        picture.text(left + 460 + 10, middle + 4, f"{number(rate)} TFLOP/s{gain}")
    picture.write(path)


def draw_roofline(cases, peaks, bandwidths, source, path):
    """Points over FLOP a byte; a number at each, and what the numbers mean beside them."""
    cases = sorted((c for c in cases if c.get("ours") and c.get("torch")),
                   key=lambda c: (c["flops"] / c["bytes"], c["name"]))
    rates = [c[who]["tflops"] for c in cases for who in ("ours", "torch")]
    intensities = [c["flops"] / c["bytes"] for c in cases]
    left, top, row = 64, 92, 15
    heading = "share of cuBLAS's rate"
    names = [f"{i + 1} {c['name']}" for i, c in enumerate(cases)]
    right = left + 760
    bottom = top + max(520, row * (len(cases) + 2))
    note = f"FLOP a byte: operands and result moved once. Lines: {source}."
    width = right + 24 + max(max(width_of(n, 11) for n in names) + 48, width_of(heading, 11)) + 12
    title = f"Matrix products on {cases[0].get('device', 'a GPU')}"
    picture = Picture(max(width, width_of(note, 11) + left + 16), bottom + 64, title)
    picture.text(16, 26, title, size=15, weight="bold")
    x = LogScale(min(intensities) * 0.8, max(intensities) * 1.2, left, right)
    y = LogScale(min(rates) * 0.8, max(rates + [rate for _, rate in peaks]) * 1.1, bottom, top)
    for tick in x.ticks():
        picture.line(x(tick), top, x(tick), bottom, FAINT)
        picture.text(x(tick), bottom + 18, f"{tick:g}", "middle")
    for tick in y.ticks():
        picture.line(left, y(tick), right, y(tick), FAINT)
        picture.text(left - 8, y(tick) + 4, f"{tick:g}", "end")
    picture.text(16, top - 18, "TFLOP/s")
    picture.text(right, bottom + 36, "FLOP/byte", "end")
    picture.text(left, bottom + 54, note, size=11)
    picture.dot(left + 120, top - 22, True)
    picture.text(left + 132, top - 18, "ours")
    picture.dot(left + 200, top - 22, False)
    picture.text(left + 212, top - 18, "cuBLAS")

    inside = (left, top, right, bottom)
    fastest = max((rate for _, rate in peaks), default=y.high)
    for name, gbs in bandwidths:
        # TFLOP/s = FLOP/byte * GB/s / 1000, within the picture and up to the highest peak.
        start = max(x.low, 1000 * y.low / gbs)
        end = min(x.high, 1000 * fastest / gbs)
        if start < end:
            picture.roof(x(start), y(start * gbs / 1000), x(end), y(end * gbs / 1000))
    for name, rate in peaks:
        start = min((1000 * rate / gbs for _, gbs in bandwidths), default=x.low)
        picture.roof(x(min(max(start, x.low), x.high)), y(rate), right, y(rate))
    for case, intensity in zip(cases, intensities):
        for who in ("torch", "ours"):
            picture.dot(x(intensity), y(case[who]["tflops"]), who == "ours")
    for name, rate in peaks:
        label = f"{name} {rate:g} TFLOP/s"
        picture.label_near(right - width_of(label, 11) / 2 - 8, y(rate), label, inside, 11)
    for name, gbs in bandwidths:
        near = max(x.low, 1000 * y.low / gbs) * (x.high / x.low) ** 0.1
        picture.label_near(x(near) + width_of(name, 11), y(near * gbs / 1000), f"{name} {gbs:g} GB/s", inside, 11)
    for index, (case, intensity) in enumerate(zip(cases, intensities)):
        picture.label_near(x(intensity), y(case["ours"]["tflops"]), str(index + 1), inside, 10, leader=True)
    picture.text(picture.width - 12, top + 4, heading, "end", size=11, weight="bold")
    for index, (case, name) in enumerate(zip(cases, names)):
        picture.text(right + 24, top + 22 + row * index, name, size=11)
        picture.text(picture.width - 12, top + 22 + row * index, f"{case['ratio_torch']:.2f}", "end", size=11)
    picture.write(path)


def pair(text):
    """NAME=NUMBER of a flag."""
    name, _, value = text.rpartition("=")
    try:
        value = float(value)
    except ValueError:
        value = 0.0
    if not name or not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"expected NAME=NUMBER, got '{text}'")
    return name, value


def from_suite(row):
    """A row of utils/bench-suite.py as one of time-plan.py; others unchanged."""
    bench = (row.get("report") or {}).get("bench") if "case" in row else None
    if not bench or "baseline" not in bench:
        return row
    rates = {who: {"tflops": found["flop_per_second"] / 1e12, "gbs": found["bytes_per_second"] / 1e9}
             for who, found in (("ours", bench), ("torch", bench["baseline"]))}
    return {"kind": "case", "name": f"{row['case']}-{row['dtype']}", "flops": row["report"]["flop"],
            "bytes": bench["minimal_bytes"], "ratio_torch": bench["ratio"], "device": row["report"]["device"], **rates}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="+", metavar="ROWS", help="JSON lines of time-plan.py, of utils/bench-suite.py and of run-ladder.py")
    parser.add_argument("--out", default=".", metavar="DIR", help="folder to write to (default: this one)")
    parser.add_argument("--set", default="ladder", help="set of rungs to draw (default: ladder)")
    parser.add_argument("--peak", type=pair, action="append", default=[], metavar="NAME=TFLOPS")
    parser.add_argument("--bandwidth", type=pair, action="append", default=[], metavar="NAME=GBS")
    parser.add_argument("--source", default="", help="where the peaks and bandwidths are from")
    options = parser.parse_args()
    rows = []
    for name in options.rows:
        try:
            lines = pathlib.Path(name).read_text().splitlines()
            rows += [from_suite(json.loads(line)) for line in lines if line.strip()]
        except (OSError, ValueError) as error:
            parser.error(f"cannot read rows of '{name}': {error}")
    rungs = [r for r in rows if r.get("kind") == "rung" and r.get("set") == options.set]
    cases = [r for r in rows if r.get("kind") == "case" and r.get("ours") and r.get("torch")]
    if not cases and not any(r.get("ours") for r in rungs):
        parser.error(f"no timed case, and no timed rung of set '{options.set}', in {', '.join(options.rows)}")
    if cases and not (options.peak and options.bandwidth and options.source):
        parser.error("a roofline needs --peak, --bandwidth and --source")
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    try:
        if any(r.get("ours") for r in rungs):
            draw_ladder(rungs, out / "ladder.svg")
        if cases:
            draw_roofline(cases, options.peak, options.bandwidth, options.source, out / "roofline.svg")
    except (KeyError, TypeError, ValueError) as error:
        parser.error(f"rows lack what a drawing needs: {error!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
