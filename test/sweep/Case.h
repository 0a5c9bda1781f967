//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One configuration of a layer op with its tiling, where cases come from, and
// what is known of a case without asking the compiler: whether it is legal, and
// its shapes. Deliberately independent of the dialect's own code.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_TEST_SWEEP_CASE_H
#define TOP_TEST_SWEEP_CASE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace top::sweep {

/// A layer op, its operands' shapes, and tile sizes.
struct Case {
  std::string id;
  bool isConv = true;

  // Convolution; pads top, left, bottom, right.
  int64_t n = 1, c = 1, h = 1, w = 1, f = 1, kh = 1, kw = 1;
  std::array<int64_t, 2> strides = {1, 1}, dilations = {1, 1};
  std::array<int64_t, 4> pads = {0, 0, 0, 0};
  int64_t group = 1;
  /// Channels of the filter where they are not c / group.
  std::optional<int64_t> filterChannels;

  // Matrix product; a batch of 0 with `isBatched` is a legal, empty one.
  int64_t batch = 1, m = 1, nCols = 1, k = 1;
  bool isBatched = false, sharesRhs = false;
  bool transposeA = false, transposeB = false;
  /// Depth and batch of the right side where they differ from the left's.
  std::optional<int64_t> rhsK, rhsBatch;

  std::string type = "f32", resultType = "f32";
  std::string biasType;            ///< empty: no bias
  std::vector<std::string> steps;  ///< of the epilogue, as in `#top.step<...>`
  bool broadcastsOperands = false; ///< add and mul operands are N x F x 1 x 1
  /// Dimensions of the input (convolution) or of M, N, K and the batch that
  /// the text shows as `?`.
  bool dynamicBatch = false, dynamicH = false, dynamicW = false;
  bool dynamicM = false;

  // Tiles: batch, height, width, channels or batch, m, n.
  int64_t tileBatch = 0, tileH = 0, tileW = 0, tileF = 0;
  int64_t tileM = 0, tileN = 0;
  int64_t maxTileBytes = 0;

  std::string fill = "int";
  /// What the file of edge cases says of an invalid row.
  std::string expectedError;
  bool isInvalid = false; ///< the file's own word; `whyInvalid` is ours
  bool isLarge = false;
};

/// Why the op or the request to tile it is illegal by the rules of the
/// documentation, computed with 128-bit numbers; nullopt for a legal case.
/// The text names what the compiler's diagnostic must mention.
std::optional<std::string> whyInvalid(const Case &test);

/// As whyInvalid, for a legal op of dynamic extents that the sizes at run time
/// do not suit.
std::optional<std::string> whyNotRunnable(const Case &test);

/// As whyInvalid, but only for tiling: the op is legal, the request is not.
/// `unroll` is the form asked for.
std::optional<std::string> whyNotTileable(const Case &test, bool unroll);

/// Shapes of the arguments of @f, in order.
std::vector<std::vector<int64_t>> getArgumentShapes(const Case &test);

/// The module with the function @f that holds the op.
std::string getModuleText(const Case &test);

/// Options of top-tile for this case.
std::string getTileOptions(const Case &test, bool unroll);

/// Rows of test/cases/edge_cases.json.
llvm::Expected<std::vector<Case>> readEdgeCases(llvm::StringRef path);

/// Case number `index` of the stream `seed`. A little under half of them break
/// a rule on purpose.
Case makeRandomCase(uint64_t seed, uint64_t index);

} // namespace top::sweep

#endif // TOP_TEST_SWEEP_CASE_H
