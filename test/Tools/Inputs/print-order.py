# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints, for each function of a launch plan, what each of its steps waits for."""

import json
import sys

for function in json.load(open(sys.argv[1]))["functions"]:
    print(function["function"], [step["after"] for step in function["steps"]])
