//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Special registers: their names in PTX, and their values.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::top::sim;

std::optional<Register> mlir::top::sim::findRegister(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Register>>(name)
      .Case("tid.x", Register::TidX)
      .Case("tid.y", Register::TidY)
      .Case("tid.z", Register::TidZ)
      .Case("ntid.x", Register::NtidX)
      .Case("ntid.y", Register::NtidY)
      .Case("ntid.z", Register::NtidZ)
      .Case("ctaid.x", Register::CtaidX)
      .Case("ctaid.y", Register::CtaidY)
      .Case("ctaid.z", Register::CtaidZ)
      .Case("nctaid.x", Register::NctaidX)
      .Case("nctaid.y", Register::NctaidY)
      .Case("nctaid.z", Register::NctaidZ)
      .Case("laneid", Register::LaneId)
      .Case("warpid", Register::WarpId)
      .Case("nwarpid", Register::NumWarps)
      .Case("warpsize", Register::WarpSize)
      .Case("lanemask.eq", Register::LaneMaskEq)
      .Case("lanemask.le", Register::LaneMaskLe)
      .Case("lanemask.lt", Register::LaneMaskLt)
      .Case("lanemask.ge", Register::LaneMaskGe)
      .Case("lanemask.gt", Register::LaneMaskGt)
      // Without clusters a block is one.
      .Case("clusterid.x", Register::CtaidX)
      .Case("clusterid.y", Register::CtaidY)
      .Case("clusterid.z", Register::CtaidZ)
      .Case("nclusterid.x", Register::NctaidX)
      .Case("nclusterid.y", Register::NctaidY)
      .Case("nclusterid.z", Register::NctaidZ)
      .Cases({"cluster.ctaid.x", "cluster.ctaid.y", "cluster.ctaid.z",
              "cluster.ctarank"},
             Register::Zero)
      .Cases({"cluster.nctaid.x", "cluster.nctaid.y", "cluster.nctaid.z",
              "cluster.nctarank"},
             Register::One)
      .Case("dynamic.smem.size", Register::DynamicSharedBytes)
      .Case("total.smem.size", Register::TotalSharedBytes)
      .Default(std::nullopt);
}

uint32_t Block::getRegister(const Thread &thread, Register which) const {
  const LaunchShape &shape = launch->shape;
  const uint32_t bit = thread.getLaneBit();
  switch (which) {
  case Register::TidX:
    return thread.id[0];
  case Register::TidY:
    return thread.id[1];
  case Register::TidZ:
    return thread.id[2];
  case Register::NtidX:
    return shape.block[0];
  case Register::NtidY:
    return shape.block[1];
  case Register::NtidZ:
    return shape.block[2];
  case Register::CtaidX:
    return id[0];
  case Register::CtaidY:
    return id[1];
  case Register::CtaidZ:
    return id[2];
  case Register::NctaidX:
    return shape.grid[0];
  case Register::NctaidY:
    return shape.grid[1];
  case Register::NctaidZ:
    return shape.grid[2];
  case Register::LaneId:
    return thread.lane;
  case Register::WarpId:
    return thread.warp->index;
  case Register::NumWarps:
    return warps.size();
  case Register::WarpSize:
    return kWarpLanes;
  case Register::LaneMaskEq:
    return bit;
  case Register::LaneMaskLe:
    return bit | (bit - 1);
  case Register::LaneMaskLt:
    return bit - 1;
  case Register::LaneMaskGe:
    return ~(bit - 1);
  case Register::LaneMaskGt:
    return ~(bit | (bit - 1));
  case Register::Zero:
    return 0;
  case Register::One:
    return 1;
  case Register::DynamicSharedBytes:
    return shape.sharedBytes;
  case Register::TotalSharedBytes:
    return launch->sharedEnd - SharedWindow::kReserved;
  }
  llvm_unreachable("all registers have a value");
}
