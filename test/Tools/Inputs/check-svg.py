#!/usr/bin/env python3
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that an SVG is well-formed XML, and that all its text lies inside of
the view box and none over another.

    check-svg.py FILE NUMBER-OF-TEXTS

The width of a character is taken to be 0.6 em: the average of digits and small
letters in Helvetica, Arial and DejaVu Sans lies below.
"""

import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"


def box(text):
    size = float(text.get("font-size"))
    width = 0.6 * size * len(text.text)
    left = float(text.get("x")) - {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")] * width
    base = float(text.get("y"))
    return left, base - 0.75 * size, left + width, base + 0.2 * size


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


root = tree.parse(sys.argv[1]).getroot()
view = [float(x) for x in root.get("viewBox").split()]
inside = view[0], view[1], view[0] + view[2], view[1] + view[3]
texts = [(t.text, box(t)) for t in root.iter(SVG + "text")]
wrong = [f"'{t}' leaves the view box" for t, b in texts
         if b[0] < inside[0] or b[1] < inside[1] or b[2] > inside[2] or b[3] > inside[3]]
wrong += [f"'{t}' lies over '{u}'" for i, (t, b) in enumerate(texts) for u, c in texts[:i] if overlap(b, c)]
if len(texts) != int(sys.argv[2]):
    wrong.append(f"{len(texts)} texts, expected {sys.argv[2]}")
print("\n".join(wrong) or f"{len(texts)} texts, all inside, none over another")
sys.exit(1 if wrong else 0)
