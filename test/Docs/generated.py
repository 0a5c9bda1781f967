#!/usr/bin/env python3
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each op, attribute and pass that has a generated page is named, in
backquotes, on the hand-written page that introduces it."""

import pathlib
import re
import sys

source, generated = map(pathlib.Path, sys.argv[1:])
index = {
    "Dialects/Top.md": "docs/Dialects/Top.md",
    "Dialects/TopTiles.md": "docs/GPULevels.md",
    "Dialects/TopTransformOps.md": "docs/Dialects/Top.md",
}
missing, count = [], 0
for page in sorted(generated.rglob("*.md")):
    name = str(page.relative_to(generated))
    introduction = source / index.get(name, "docs/Passes.md")
    # "### `top.Conv2D` (top::Conv2DOp)", "### `-top-tile`", "### StepAttr"
    names = re.findall(r"^### `-?([\w.-]+)`", page.read_text(), re.M)
    names += re.findall(r"^### (\w+Attr)$", page.read_text(), re.M)
    count += len(names)
    print(f"{name}: {len(names)} entries")
    missing += [f"{n} of {name} is not on {introduction.relative_to(source)}"
                for n in names if f"`{n}`" not in introduction.read_text()]
print("\n".join(missing))
sys.exit(1 if missing or not count else 0)
