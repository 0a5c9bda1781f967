#!/usr/bin/env python3
"""Compiles the layers of the benchmark suite into a folder that a timer can time.

    utils/gpu/make-bench.py OUT --chip=sm_90a --card=h200 [--only=REGEX] [--core] [--schedule='engine = simt, ...']
    utils/gpu/make-bench.py OUT --kind=conv --card=h200 [--schedules=FILE.json] [--filter=argument]

Products are for time-plan.py, convolutions for time-conv.py. Writes PTX and
launch plan of every case, and cases.json, which lists them. A case is called
NAME-TYPE. The compiler chooses the schedules, unless one for all is given, or
several with --schedules (cases are then NAME-TYPE@0, ...): a JSON list of texts,
or an object of such lists by a regular expression for the case. A text is the
fields of a schedule, or, behind "+", those that differ from what the compiler
chooses; the empty one is what it chooses. A case that does not compile is listed
with the reason; the exit status is then 1. Where ptxas is found, NAME.cubin is
there as well. The device machine needs no MLIR.
"""

import argparse
import json
import pathlib
import re
import sys

import convs
import products


def suite_products(rows, schedule):
    for row in rows:
        for kind in row["dtypes"]:
            case = products.make(f"{row['name']}-{kind}", row["m"], row["n"], row["k"], kind, schedule=schedule,
                                 batch=None if row["b"] == 1 else row["b"], transpose_a=row["transpose_a"],
                                 transpose_b=row["transpose_b"])
            yield {**case, "core": row["core"], "why": row["why"]}


def read_layouts(text):
    sides = text.split(",")
    if not set(sides) <= {"input", "result"}:
        raise argparse.ArgumentTypeError(f"expected input, result or both, got '{text}'")
    return sides


def read_variants(parser, path):
    """[(pattern of names, schedules)]."""
    try:
        found = products.read_json(path)
        found = list(found.items()) if isinstance(found, dict) else [("", found)]
        if not all(isinstance(text, str) for _, texts in found for text in texts):
            raise ValueError("a schedule is no text")
        return [(re.compile(pattern), texts) for pattern, texts in found]
    except (OSError, TypeError, ValueError, re.error) as error:
        parser.error(f"'{path}' is no list of schedules: {error}")


def with_variants(case, variants):
    for pattern, texts in variants:
        if pattern.search(case["name"]):
            for index, text in enumerate(texts):
                yield {**case, "name": f"{case['name']}@{index}", "schedule": text}
            return


def build_conv(case, options):
    """(error, report) of a convolution, whose schedule becomes that which was taken."""
    folder = pathlib.Path(options.out)
    if case["schedule"] == "" or case["schedule"].startswith("+"):
        source = folder / (case["name"] + ".choose.mlir")
        source.write_text(convs.to_mlir(case, schedule=""))
        fields = convs.find_schedule(source, options.compiler, options.chip, options.card)
        source.unlink()
        if case["schedule"]:
            case["schedule"] = convs.format_schedule({**fields, **convs.parse_schedule(case["schedule"])})
    else:
        fields = convs.parse_schedule(case["schedule"])
    result = convs.compile_case(case, folder, options.compiler, options.chip, options.card, report=True)
    case["schedule"] = case["schedule"] or convs.format_schedule(fields)
    case["choice"] = convs.choice(case, convs.parse_schedule(case["schedule"]))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    products.add_arguments(parser)
    parser.add_argument("--kind", choices=("matmul", "conv"), default="matmul")
    parser.add_argument("--suite", default=str(products.ROOT / "test/bench/suite.json"), metavar="FILE")
    parser.add_argument("--core", action="store_true", help="the quick set alone")
    parser.add_argument("--schedule", default="", help="fields of #top.schedule<...>, for every case")
    parser.add_argument("--schedules", metavar="FILE", help="several for each case")
    parser.add_argument("--filter", choices=("constant", "argument"), default="constant",
                        help="whether the compiler sees the filter's values (convolutions; default: it does)")
    parser.add_argument("--layouts", default=[], type=read_layouts, metavar="input,result",
                        help="which tensors of a convolution have their channels last (default: none)")
    options = parser.parse_args()
    products.check_arguments(parser, options)
    try:
        rows = json.loads(pathlib.Path(options.suite).read_text())[options.kind]
        cases = list(suite_products(rows, options.schedule) if options.kind == "matmul" else
                     convs.suite_cases(rows, options.schedule, options.filter, options.layouts))
        cases = [c for c in cases if options.only.search(c["name"]) and (c["core"] or not options.core)]
    except OSError as error:
        parser.error(f"cannot read the suite: {error}")
    except (KeyError, TypeError, ValueError) as error:
        parser.error(f"'{options.suite}' is no suite: {error!r}")
    if options.schedules:
        variants = read_variants(parser, options.schedules)
        cases = [variant for case in cases for variant in with_variants(case, variants)]
    if not cases:
        parser.error(f"no case of '{options.suite}' is called for")

    def build(case):
        if options.kind == "conv":
            error, report = build_conv(case, options)
        else:
            error, report = products.compile_case(case, options.out, options.compiler, options.chip, options.card,
                                                  report=True)
        return error or products.assemble(case, options.out, options.chip), report

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
