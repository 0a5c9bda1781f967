"""Writes every case of conv_cases.py into one file, which top-opt must read.

usage: check-conv-cases.py UTILS/GPU FOLDER
"""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import conv_cases  # noqa: E402
import convs  # noqa: E402

folder = pathlib.Path(sys.argv[2])
os.makedirs(folder, exist_ok=True)
cases = list(conv_cases.all_cases(300, 7, True))
assert cases == list(conv_cases.all_cases(300, 7, True)), "not repeatable"
assert len({case["name"] for case in cases}) == len(cases), "two cases of one name"
texts = [convs.to_mlir(case).replace("@f(", f"@f{index}(") for index, case in enumerate(cases)]
(folder / "all.mlir").write_text("".join(texts))
subprocess.run(["top-opt", str(folder / "all.mlir"), "-o", os.devnull], check=True)
print(f"{len(cases)} cases, all different, repeatable")
