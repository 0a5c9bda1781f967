# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how many launches and copies each function of a plan has.

usage: count-steps.py PLAN
"""

import json
import sys

for function in json.load(open(sys.argv[1]))["functions"]:
    launches = sum("launch" in step for step in function["steps"])
    copies = sum("copy" in step for step in function["steps"])
    print(f"{function['function']}: {launches} launches, {copies} copies")
