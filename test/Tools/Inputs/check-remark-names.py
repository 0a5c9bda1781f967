# Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names and categories of remarks in the sources and in docs/Remarks.md are
the same, and a category is the name of a pass.

A name is the string handed to RemarkOpts::name, or to a helper of a file whose
own name ends in RemarkOpts or is remarkOpts. A category that is getArgument() is
the name of the pass that the file defines."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
errors = []
in_code, categories = {}, {}
arguments = {}  # of passes, by the macro that a source defines for them
for path in (root / "include").rglob("*.td"):
    for definition, argument in re.findall(r'def (\w+)\s*: Pass<"([\w-]+)"', path.read_text()):
        arguments["GEN_PASS_DEF_" + definition.upper()] = argument

sources = sorted(p for d in ("lib", "tools") for p in (root / d).rglob("*.cpp"))
for path in sources:
    text = path.read_text()
    where = path.relative_to(root)
    for match in re.finditer(r"RemarkOpts::name\(\s*([^)]*?)\s*\)", text):
        name = re.fullmatch(r'"(\w+)"', match[1])
        if name:
            in_code[name[1]] = where
        elif not re.search(r"(\w+RemarkOpts|\bremarkOpts = \[&\])\([^)]*\b%s\)" % re.escape(match[1]), text):
            errors.append(f"{where}: cannot tell the name in '{match[0]}'")
    for match in re.finditer(r"(?<!:)\b(?:\w+R|r)emarkOpts\((?:[^()\"]*,)?\s*\"(\w+)\"", text):
        in_code[match[1]] = where
    for match in re.finditer(r"\.category\(\s*(\"[^\"]*\"|\w+)\s*\)", text):
        value = match[1]
        if not value.startswith('"'):
            constant = re.search(r"\b%s\b[^;\"]*(\"[^\"]*\")" % value, text)
            if not constant:
                errors.append(f"{where}: cannot tell the category '{value}'")
                continue
            value = constant[1]
        categories[value.strip('"')] = where
    if ".category(getArgument())" in text:
        for macro in re.findall(r"GEN_PASS_DEF_\w+", text):
            categories[arguments[macro]] = where
    # Every remark has a name that was found above or that a helper adds.
    if re.search(r"\bremark::(passed|missed|failed|analysis)\(", text) and "RemarkOpts" not in text:
        errors.append(f"{where}: a remark without RemarkOpts")

page = (root / "docs/Remarks.md").read_text()
rows = re.findall(r"^\| `([\w-]+)` \| `(\w+)` \| ([\w, ]+) \|", page, re.M)
for name, where in sorted(in_code.items()):
    if name not in {row[1] for row in rows}:
        errors.append(f"{where}: remark '{name}' is not in docs/Remarks.md")
for category, where in sorted(categories.items()):
    if category not in {row[0] for row in rows}:
        errors.append(f"{where}: category '{category}' is not in docs/Remarks.md")
for category, name, kinds in rows:
    if name not in in_code:
        errors.append(f"docs/Remarks.md: no source has a remark '{name}'")
    if category not in categories:
        errors.append(f"docs/Remarks.md: no source has the category '{category}'")
    for kind in set(kinds.split(", ")) - {"passed", "missed", "failed", "analysis"}:
        errors.append(f"docs/Remarks.md: '{kind}' of '{name}' is no kind of remark")

passes = set()
for path in (root / "include").rglob("*.td"):
    passes.update(re.findall(r'\bPass<"([\w-]+)"', path.read_text()))
for category, where in sorted(categories.items()):
    if category not in passes:
        errors.append(f"{where}: category '{category}' is not the name of a pass")

print("\n".join(errors) or f"{len(in_code)} names")
sys.exit(bool(errors) or not in_code)
