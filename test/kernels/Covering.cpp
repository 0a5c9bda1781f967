//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few cases in which all small combinations of choices occur.
//
//===----------------------------------------------------------------------===//

#include "SweepCase.h"

#include "llvm/ADT/STLExtras.h"
#include <random>

using namespace top::kernels;

/// Cases that are tried for each that is taken.
static constexpr unsigned numCandidates = 12;

namespace {

/// Sets of axes, and which of their combinations have not occurred yet.
class Combinations {
public:
  Combinations(llvm::ArrayRef<AxisInfo> axes, unsigned strength);

  /// One that has not occurred, as choices on some axes; nullopt if all have.
  std::optional<Choices> findMissing(std::vector<bool> &isFixed);
  unsigned countMissing(const Choices &choices) const;
  void remove(const Choices &choices);

private:
  struct Set {
    std::vector<unsigned> axes;
    std::vector<bool> isMissing; ///< by the choices as digits of a number
    size_t next = 0;             ///< nothing is missing below
  };
  size_t getNumber(const Set &set, const Choices &choices) const;
  unsigned getNumChoices(unsigned axis) const {
    return allAxes[axis].choices.size();
  }

  llvm::ArrayRef<AxisInfo> allAxes;
  std::vector<Set> sets;
};

} // namespace

Combinations::Combinations(llvm::ArrayRef<AxisInfo> allAxes, unsigned strength)
    : allAxes(allAxes) {
  std::vector<unsigned> axes;
  auto add = [&](auto &&self, unsigned first) -> void {
    if (axes.size() == strength) {
      size_t size = 1;
      for (unsigned axis : axes)
        size *= getNumChoices(axis);
      sets.push_back({axes, std::vector<bool>(size, true)});
      return;
    }
    for (unsigned axis = first; axis < allAxes.size(); ++axis) {
      axes.push_back(axis);
      self(self, axis + 1);
      axes.pop_back();
    }
  };
  add(add, 0);
}

size_t Combinations::getNumber(const Set &set, const Choices &choices) const {
  size_t number = 0;
  for (unsigned axis : set.axes)
    number = number * getNumChoices(axis) + choices[axis];
  return number;
}

std::optional<Choices> Combinations::findMissing(std::vector<bool> &isFixed) {
  for (Set &set : sets) {
    while (set.next < set.isMissing.size() && !set.isMissing[set.next])
      ++set.next;
    if (set.next == set.isMissing.size())
      continue;
    Choices choices(allAxes.size());
    size_t number = set.next;
    for (unsigned axis : llvm::reverse(set.axes)) {
      choices[axis] = number % getNumChoices(axis);
      number /= getNumChoices(axis);
      isFixed[axis] = true;
    }
    return choices;
  }
  return std::nullopt;
}

unsigned Combinations::countMissing(const Choices &choices) const {
  return llvm::count_if(sets, [&](const Set &set) {
    return set.isMissing[getNumber(set, choices)];
  });
}

void Combinations::remove(const Choices &choices) {
  for (Set &set : sets)
    set.isMissing[getNumber(set, choices)] = false;
}

std::vector<Choices> top::kernels::coverChoices(llvm::ArrayRef<AxisInfo> axes,
                                                unsigned strength) {
  Combinations combinations(axes, strength);
  std::mt19937 random(strength);
  std::vector<Choices> cases;
  while (true) {
    std::vector<bool> isFixed(axes.size());
    std::optional<Choices> missing = combinations.findMissing(isFixed);
    if (!missing)
      return cases;
    Choices best = *missing;
    unsigned most = 0;
    for (unsigned i = 0; i < numCandidates; ++i) {
      Choices candidate = *missing;
      for (unsigned axis = 0; axis < axes.size(); ++axis)
        if (!isFixed[axis])
          candidate[axis] = random() % axes[axis].choices.size();
      const unsigned count = combinations.countMissing(candidate);
      if (count > most) {
        most = count;
        best = candidate;
      }
    }
    combinations.remove(best);
    cases.push_back(best);
  }
}
