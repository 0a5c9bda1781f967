"""A matrix product as MLIR, and its way to PTX and a launch plan.

What make-cases.py, make-bench.py and make-ladder.py share. A case is a dict of
JSON values; make() lists its fields. Needs top-compile, and no GPU.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMPILER = str(ROOT / "build/bin/top-compile")
# Longest time that one product may take to compile, in seconds.
TIMEOUT = 300


def tensor(shape, kind):
    return "tensor<" + "x".join(map(str, shape)) + "x" + kind + ">"


def shapes(case):
    """Shapes of lhs, rhs and result."""
    m, n, k, batch = case["m"], case["n"], case["k"], case["batch"]
    lhs = [k, m] if case["transpose_a"] else [m, k]
    rhs = [n, k] if case["transpose_b"] else [k, n]
    result = [m, n]
    if batch is not None:
        lhs, result = [batch] + lhs, [batch] + result
        rhs = rhs if case["shared"] else [batch] + rhs
    return lhs, rhs, result


def to_mlir(case):
    lhs, rhs, result = shapes(case)
    kind, result_kind, n = case["type"], case["result_type"], case["n"]
    operands = [("%a", tensor(lhs, kind)), ("%b", tensor(rhs, kind))]
    if case["bias"]:
        operands.append(("%bias", tensor([n], result_kind)))
    extra, steps = [], []
    for index, step in enumerate(case["epilogue"]):
        if step == "affine":
            extra += [(f"%s{index}", tensor([n], result_kind)), (f"%t{index}", tensor([n], result_kind))]
        elif step in ("add", "mul"):
            extra.append((f"%e{index}", tensor(result, result_kind)))
        steps.append("#top.step<clamp, min = -1.0, max = 6.0>" if step == "clamp" else f"#top.step<{step}>")
    attributes = [f"{name} = true" for name in ("transpose_a", "transpose_b") if case[name]]
    if case["tf32"]:
        attributes.append("allow_tf32")
    if steps:
        attributes.append("epilogue = [" + ", ".join(steps) + "]")
    if case["schedule"]:
        attributes.append(f"top.schedule = #top.schedule<{case['schedule']}>")
    names = lambda pairs: ", ".join(name for name, _ in pairs)
    epilogue = f" epilogue({names(extra)})" if extra else ""
    braces = " {" + ", ".join(attributes) + "}" if attributes else ""
    types = ", ".join(kind for _, kind in operands + extra)
    arguments = ", ".join(f"{name}: {kind}" for name, kind in operands + extra)
    out = tensor(result, result_kind)
    return (f"func.func @f({arguments}) -> {out} {{\n"
            f"  %y = top.MatMul {names(operands)}{epilogue}{braces} : ({types}) -> {out}\n"
            f"  return %y : {out}\n}}\n")


def make(name, m, n, k, kind, **options):
    """A case of m x n x k elements of a type; `kind` tf32 is f32 that may be rounded to tf32."""
    tf32 = kind == "tf32"
    kind = "f32" if tf32 else kind
    result = "i32" if kind == "i8" else "f32" if kind.startswith("f8") else kind
    case = {"name": name, "m": m, "n": n, "k": k, "type": kind, "result_type": result, "tf32": tf32,
            "batch": None, "shared": False, "transpose_a": False, "transpose_b": False, "bias": False,
            "epilogue": [], "schedule": "", "without": [], "fill": "normal"}
    case.update(options)
    return case


def compile_case(case, folder, compiler, chip, card=None, report=False):
    """Writes NAME.mlir, NAME.ptx and NAME.json (the plan) into `folder`.

    Returns (error, report): None or one line that says why there is no PTX, and
    the lines of top-compile --report where they are asked for.
    """
    return compile_text(case, to_mlir(case), folder, compiler, chip, card, report)


def compile_text(case, text, folder, compiler, chip, card=None, report=False, flags=()):
    """compile_case for the MLIR of any case, with more flags of top-compile."""
    stem = pathlib.Path(folder) / case["name"]
    source = stem.with_name(stem.name + ".mlir")
    source.write_text(text)
    for suffix in (".ptx", ".json", ".cubin"):  # none of an earlier run may be taken for this one's
        stem.with_name(stem.name + suffix).unlink(missing_ok=True)
    command = [compiler, str(source), f"--chip={chip}", "-o", f"{stem}.ptx", f"--plan={stem}.json", *flags]
    if report:
        command.append("--report")
    if card:
        command.append(f"--card={card}")
    if case["without"]:
        command.append("--without=" + ",".join(case["without"]))
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"not compiled after {TIMEOUT} s", ""
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines() or [f"exit status {result.returncode}"]
        first = next((line for line in lines if "error: " in line), lines[0])
        # Without the file's place, which is always the layer op.
        return re.sub(r"^.*?error: ('top.(MatMul|Conv2D)' op )?", "", first), ""
    return None, result.stdout


def assemble(case, folder, chip):
    """NAME.cubin beside NAME.ptx, where ptxas is found; error, or None.

    The driver would assemble the PTX, too, but not so many at once.
    """
    stem = pathlib.Path(folder) / case["name"]
    ptxas = shutil.which("ptxas", path=os.environ.get("PATH", "") + os.pathsep + "/usr/local/cuda/bin")
    if not ptxas:
        return None
    try:
        result = subprocess.run([ptxas, f"-arch={chip}", f"{stem}.ptx", "-o", f"{stem}.cubin"], capture_output=True,
                                text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"ptxas: not done after {TIMEOUT} s"
    return None if result.returncode == 0 else "ptxas: " + (result.stderr.strip().splitlines() or ["failed"])[0]


def compile_all(cases, build):
    """build(case) of every case, one process a core, in order; says how far it is."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = []
        for case, result in zip(cases, pool.map(build, cases)):
            results.append(result)
            if len(results) % 10 == 0:
                print(f"{len(results)} of {len(cases)} compiled", file=sys.stderr, flush=True)
    return results


def add_arguments(parser):
    """The flags that make-bench.py and make-ladder.py share."""
    parser.add_argument("out", metavar="OUT", help="folder to write to")
    parser.add_argument("--chip", default="sm_90a", help="architecture (default: sm_90a)")
    parser.add_argument("--card", help="card whose SMs and L2 the schedules are chosen for, such as h200")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose name matches")
    parser.add_argument("--compiler", default=COMPILER, help="top-compile (default: that of build/)")


def check_arguments(parser, options):
    """Ends the program with one line where a flag cannot be right; makes the folder."""
    if not shutil.which(options.compiler):
        parser.error(f"no compiler at '{options.compiler}': build top-compile, or name it with --compiler")
    try:
        options.only = re.compile(options.only)
    except re.error as error:
        parser.error(f"--only: '{options.only}' is no regular expression: {error}")
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)


def write_json(path, value):
    pathlib.Path(path).write_text(json.dumps(value, indent=1) + "\n")


def read_json(path):
    return json.loads(pathlib.Path(path).read_text())
