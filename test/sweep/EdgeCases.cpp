//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads test/cases/edge_cases.json.
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace top::sweep;

/// The row's fields, with errors that name the row.
static llvm::Expected<Case> readRow(const llvm::json::Object &row,
                                    bool isConv) {
  Case t;
  t.isConv = isConv;
  t.id = row.getString("id").value_or("?").str();
  std::string missing;
  auto integer = [&](llvm::StringRef key) {
    if (std::optional<int64_t> value = row.getInteger(key))
      return *value;
    missing = key.str();
    return int64_t(0);
  };
  auto boolean = [&](llvm::StringRef key) {
    return row.getBoolean(key).value_or(false);
  };
  t.tileBatch = row.getInteger("tile_n").value_or(0);
  if (isConv) {
    t.n = integer("n");
    t.c = integer("c");
    t.h = integer("h");
    t.w = integer("w");
    t.f = integer("f");
    t.kh = integer("kh");
    t.kw = integer("kw");
    t.strides = {integer("sh"), integer("sw")};
    t.dilations = {integer("dh"), integer("dw")};
    t.pads = {integer("pt"), integer("pl"), integer("pb"), integer("pr")};
    t.group = integer("groups");
    t.tileBatch = integer("tile_n");
    t.tileH = integer("tile_h");
    t.tileW = integer("tile_w");
  } else {
    t.batch = integer("b");
    t.isBatched = t.batch != 1;
    t.tileBatch = t.isBatched ? 1 : 0;
    t.m = integer("m");
    t.nCols = integer("n");
    t.k = integer("k");
    t.transposeA = boolean("transA");
    t.transposeB = boolean("transB");
    t.tileM = integer("tile_m");
    t.tileN = integer("tile_n");
    if (std::optional<int64_t> k = row.getInteger("k_rhs"))
      t.rhsK = *k;
    if (std::optional<int64_t> b = row.getInteger("b_rhs"))
      t.rhsBatch = *b;
  }
  if (!missing.empty())
    return llvm::createStringError("row " + t.id + " has no integer '" +
                                   missing + "'");
  t.type = t.resultType = row.getString("dtype").value_or("f32").str();
  t.fill = row.getString("fill").value_or("int").str();
  t.isInvalid = boolean("invalid");
  t.isLarge = boolean("large");
  t.expectedError = row.getString("expected_error").value_or("").str();
  // The rows do not name a bias. One shows in tiles wholly in padding; a row
  // with values of its own is about exact sums, so it gets none.
  if (!row.getString("fill"))
    t.biasType = "f32";
  return t;
}

llvm::Expected<std::vector<Case>>
top::sweep::readEdgeCases(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path.str() +
                                   "': " + buffer.getError().message());
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  std::vector<Case> cases;
  for (llvm::StringRef key : {"conv", "matmul"}) {
    const llvm::json::Array *rows = object ? object->getArray(key) : nullptr;
    if (!rows)
      return llvm::createStringError("'" + path.str() + "' has no list '" +
                                     key.str() + "'");
    for (const llvm::json::Value &row : *rows) {
      const llvm::json::Object *fields = row.getAsObject();
      if (!fields)
        return llvm::createStringError("a row of '" + key.str() +
                                       "' is not an object");
      llvm::Expected<Case> t = readRow(*fields, key == "conv");
      if (!t)
        return t.takeError();
      cases.push_back(std::move(*t));
    }
  }
  return cases;
}
