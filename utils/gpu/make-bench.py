#!/usr/bin/env python3
"""Compiles the products of the benchmark suite into a folder that time-plan.py can time.

    utils/gpu/make-bench.py OUT --chip=sm_90a --card=h200 [--only=REGEX] [--core] [--schedule='engine = simt, ...']

Writes PTX and launch plan of every case, and cases.json, which lists them. A
case is called NAME-TYPE. The compiler chooses the schedules, unless one for all
is given. A case that does not compile is listed with the reason; the exit
status is then 1. The device machine needs no MLIR.
"""

import argparse
import json
import pathlib
import re
import sys

import products


def suite_cases(path, schedule):
    for row in json.loads(pathlib.Path(path).read_text())["matmul"]:
        for kind in row["dtypes"]:
            case = products.make(f"{row['name']}-{kind}", row["m"], row["n"], row["k"], kind, schedule=schedule,
                                 batch=None if row["b"] == 1 else row["b"], transpose_a=row["transpose_a"],
                                 transpose_b=row["transpose_b"])
            yield {**case, "core": row["core"], "why": row["why"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    products.add_arguments(parser)
    parser.add_argument("--suite", default=str(products.ROOT / "test/bench/suite.json"), metavar="FILE")
    parser.add_argument("--core", action="store_true", help="the quick set alone")
    parser.add_argument("--schedule", default="", help="fields of #top.schedule<...>, for every case")
    options = parser.parse_args()
    products.check_arguments(parser, options)
    try:
        cases = [c for c in suite_cases(options.suite, options.schedule)
                 if options.only.search(c["name"]) and (c["core"] or not options.core)]
    except OSError as error:
        parser.error(f"cannot read the suite: {error}")
    except (KeyError, TypeError, ValueError) as error:
        parser.error(f"'{options.suite}' is no suite: {error!r}")
    if not cases:
        parser.error(f"no case of '{options.suite}' is called for")

    def build(case):
        return products.compile_case(case, options.out, options.compiler, options.chip, options.card,
                                     report=True)

    for case, (error, report) in zip(cases, products.compile_all(cases, build)):
        case["error"] = error
        case["report"] = re.sub(r"^\S+: ", "", report.strip())
        if error:
            print(f"{case['name']}: {error}")
    products.write_json(pathlib.Path(options.out) / "cases.json", cases)
    failed = sum(case["error"] is not None for case in cases)
    print(f"{len(cases)} cases, {failed} did not compile")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
