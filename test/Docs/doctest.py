#!/usr/bin/env python3
# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Re-runs the examples of the pages and of the TableGen descriptions.

  console  Each line `$ command` is run by bash, in a scratch folder in which
           `docs` and `test` are the project's and the tools are on the path.
           The lines below it, up to the next command, are its output, stderr
           in front of stdout. A line `...` stands for any lines. The command
           must succeed.
  mlir     Must be accepted by top-opt. A fragment may use values and functions
           that it does not define; their types follow from their uses. Where a
           line `// becomes` stands between two fragments, both must be
           accepted, and if the text before the block ends in
           "Example, `PASS{OPTIONS}`:" or "Example:", the first must become the
           second under that pass (for "Example:", the pass that the
           description belongs to).

  c, cpp, cmake  Must stand in the file that the last link before it leads to,
           indentation aside.

Any other kind of block is not looked at. Relative links of pages must lead
somewhere. With --update, the outputs of the console blocks without `...` are
written anew instead of compared.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
failures = 0


def fail(path, line, text):
    global failures
    failures += 1
    print(f"{os.path.relpath(path, ROOT)}:{line}: {text}")


class Block:
    """A fenced block: its kind, its lines, and where it stands."""

    def __init__(self, kind, first, lines, indent, before):
        self.kind, self.first, self.lines = kind, first, lines
        self.indent, self.before = indent, before


def find_blocks(text):
    lines = text.split("\n")
    blocks, start = [], None
    for number, line in enumerate(lines):
        fence = re.match(r"( *)```(.*)$", line)
        if not fence:
            continue
        if start is None:
            start = (number, fence)
            continue
        opened, (indent, kind) = start[0], start[1].groups()
        body = [l[len(indent):] for l in lines[opened + 1 : number]]
        before = " ".join(l.strip() for l in lines[max(0, opened - 4) : opened])
        blocks.append(Block(kind.strip(), opened + 1, body, indent, before.strip()))
        start = None
    return blocks


# --- console ---------------------------------------------------------------


def run_shell(command, folder):
    result = subprocess.run(
        ["bash", "-c", "set -o pipefail\n" + command],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    output = (result.stderr + result.stdout).split("\n")
    while output and not output[-1].strip():
        output.pop()
    return result.returncode, [l.rstrip() for l in output]


def matches(expected, actual):
    """Whether the lines agree, `...` standing for any number of lines."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


def check_console(path, block, folder):
    """Returns the block's lines with the outputs that were found."""
    found, position = [], 0
    while position < len(block.lines):
        line = block.lines[position]
        number = block.first + position + 1
        position += 1
        if not line.startswith("$ "):
            fail(path, number, "a console block starts with a command")
            return block.lines
        command = line[2:]
        found.append(line)
        while command.endswith("\\"):
            command += "\n" + block.lines[position]
            found.append(block.lines[position])
            position += 1
        expected = []
        while position < len(block.lines) and not block.lines[position].startswith("$ "):
            expected.append(block.lines[position].rstrip())
            position += 1
        status, actual = run_shell(command, folder)
        if status != 0:
            fail(path, number, f"exit status {status}: {command}\n" + "\n".join(actual))
        elif not options.update and not matches([l for l in expected if l], [l for l in actual if l]):
            fail(path, number, f"other output than written: {command}")
            print("\n".join(difflib.unified_diff(expected, actual, "written", "found", lineterm="")))
        found += expected if "..." in expected else actual
    return found


# --- mlir ------------------------------------------------------------------


def top_opt(text, *arguments):
    result = subprocess.run(
        ["top-opt", "--allow-unregistered-dialect", "--split-input-file", *arguments, "-"],
        input=text, capture_output=True, text=True, timeout=120)
    return result.returncode, result.stdout, result.stderr


def wrap(fragment, free):
    """A module of the fragment, the `free` values defined in front."""
    if re.match(r"\s*(\[|#top)", fragment):
        return f'"doc.attribute"() {{value = {fragment}}} : () -> ()\n'
    if re.match(r"\s*!top\.[^\n=]*$", fragment):
        return f'"doc.type"() : () -> {fragment}\n'
    aliases = [l for l in fragment.split("\n") if re.match(r"[#!]", l)]
    body = [l for l in fragment.split("\n") if not re.match(r"[#!]", l)]
    if re.search(r"^ *(module|func\.func|gpu\.module)\b", fragment, re.M):
        return fragment
    functions = [f"func.func private @{name}{type}"
                 for name, type in re.findall(r"call @([\w$.]+)\(.*?\) : (.*)$", fragment, re.M)]
    own = re.findall(r"^ *%([\w$.-]+)(?:, .*)? = ", fragment, re.M)
    definitions = [f'%{name} = "doc.free"() : () -> {type}'
                   for name, type in free.items() if name not in own]
    return "\n".join(aliases + functions + ["func.func @doc() {"] + definitions + body + ["return", "}"]) + "\n"


def parse(fragment, free):
    """Finds the types of the values that the fragment uses but does not define,
    from what the parser says about each. Returns None or the error."""
    for _ in range(64):
        status, _, errors = top_opt(wrap(fragment, free))
        if status == 0:
            return None
        wrong = re.search(r"use of value '%([\w$.-]+)' expects different type than prior "
                          r"uses: '(.*)' vs 'none'", errors)
        undefined = re.search(r"<stdin>:(\d+):(\d+): error: use of undeclared SSA value name", errors)
        if wrong and free.get(wrong[1]) == "none":
            free[wrong[1]] = wrong[2]
        elif undefined:
            line = wrap(fragment, free).split("\n")[int(undefined[1]) - 1]
            free[re.match(r"%([\w$.-]+)", line[int(undefined[2]) - 1 :])[1]] = "none"
        else:
            return errors
    return "too many values without a definition"


def check_mlir(path, block, pass_name):
    parts = re.split(r"^ *// becomes *$", "\n".join(block.lines), flags=re.M)
    free = {}
    # Twice, so that both parts are wrapped with the same values.
    for part in parts + parts:
        error = parse(part, free)
        if error:
            fail(path, block.first + 1, "top-opt refuses this example:\n" + error + wrap(part, free))
            return
    if len(parts) == 1:
        return
    example = re.search(r"Example(?:, `([^`]*)`)?:$", block.before)
    pipeline = example and (example[1] or pass_name)
    if not pipeline:
        return
    name, _, arguments = pipeline.rstrip("}").partition("{")
    _, wanted, _ = top_opt(wrap(parts[1], free))
    status, actual, errors = top_opt(wrap(parts[0], free), f"--{name}={arguments}" if arguments else f"--{name}")
    if status != 0 or wanted != actual:
        fail(path, block.first + 1, f"{pipeline} gives something else")
        print(errors + "\n".join(difflib.unified_diff(
            wanted.split("\n"), actual.split("\n"), "written", "found", lineterm="")))


# --- excerpts --------------------------------------------------------------


def check_excerpt(path, block, text):
    before = "\n".join(text.split("\n")[: block.first])
    links = re.findall(r"\]\(([^)#\s]+)\)", before)
    source = path.parent / links[-1] if links else None
    if not source or not source.is_file():
        fail(path, block.first + 1, "no link to a file before this excerpt")
        return
    body = "\n".join(line.strip() for line in block.lines)
    if body not in "\n".join(line.strip() for line in source.read_text().split("\n")):
        fail(path, block.first + 1, f"not in {source.name}:\n" + "\n".join(block.lines))


# --- pages -----------------------------------------------------------------


def check_links(path, text):
    prose = re.sub(r"```.*?```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    for link in re.finditer(r"\]\(([^)#\s]+)[^)]*\)", prose):
        target = link[1]
        if not re.match(r"[a-z]+:", target) and not (path.parent / target).exists():
            fail(path, prose[: link.start()].count("\n") + 1, f"nothing at '{target}'")


def check(path, folder):
    text = path.read_text()
    if path.suffix == ".md":
        check_links(path, text)
    blocks = find_blocks(text)
    outputs = []
    for block in blocks:
        if block.kind == "console":
            outputs.append((block, check_console(path, block, folder)))
        elif block.kind == "mlir":
            before = text.split("\n")[: block.first]
            passes = re.findall(r': Pass<"([^"]+)"', "\n".join(before))
            check_mlir(path, block, passes[-1] if passes else None)
        elif block.kind in ("c", "cpp", "cmake"):
            check_excerpt(path, block, text)
    if options.update:
        lines = text.split("\n")
        for block, found in reversed(outputs):
            lines[block.first : block.first + len(block.lines)] = [
                (block.indent + l).rstrip() for l in found]
        path.write_text("\n".join(lines))
    return sum(b.kind in ("console", "mlir", "c", "cpp", "cmake") for b in blocks)


parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--update", action="store_true")
parser.add_argument("files", nargs="+", type=pathlib.Path)
options = parser.parse_args()
examples = 0
for file in options.files:
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("docs", "test"):
            os.symlink(ROOT / name, pathlib.Path(scratch) / name)
        examples += check(file.resolve(), scratch)
print(f"{examples} examples in {len(options.files)} files, {failures} failures")
# A run that found nothing would prove nothing.
sys.exit(1 if failures or not examples else 0)
