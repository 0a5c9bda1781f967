# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No library defines a command-line flag (llvm::cl::opt and its kin) or a
statistic: all compilations of a process would share it, and a tool that embeds
the library twice could not start."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
errors, count = [], 0
for folder in ("include", "lib"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".td"):
            continue
        count += 1
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0]
            if re.search(r"\bcl::(opt|list|alias|bits)\s*<|\bSTATISTIC\(", code):
                errors.append(f"{path.relative_to(root)}:{number}: {line.strip()}")
print("\n".join(errors) or f"{count} files")
sys.exit(bool(errors) or count == 0)
