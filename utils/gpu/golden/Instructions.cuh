//===----------------------------------------------------------------------===//
//
// Part of the top project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions that record.cu runs: a struct for each, which says how many
// registers of 32 bits go in and come out, and holds the instruction itself.
//
//===----------------------------------------------------------------------===//

#ifndef TOP_UTILS_GPU_GOLDEN_INSTRUCTIONS_H
#define TOP_UTILS_GPU_GOLDEN_INSTRUCTIONS_H

#include <cstdint>

/// r[0..INS) -> d[0..OUTS) by one instruction.
#define TOP_INSTRUCTION(NAME, INS, OUTS, ...)                                  \
  struct NAME {                                                                \
    static constexpr int ins = INS, outs = OUTS;                               \
    static __device__ void run(const uint32_t *r, uint32_t *d,                 \
                               uint32_t memory) {                              \
      (void)memory;                                                            \
      __VA_ARGS__                                                              \
    }                                                                          \
  };

//===----------------------------------------------------------------------===//
// mma.sync, by the registers of A, B, C
//===----------------------------------------------------------------------===//

#define TOP_MMA_4_2_4(NAME, PTX)                                               \
  TOP_INSTRUCTION(NAME, 10, 4,                                                 \
                  asm volatile("mma.sync.aligned." PTX                         \
                               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "      \
                               "{%10,%11,%12,%13};" : "=r"(d[0]),              \
                               "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(r[0]), \
                               "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]),     \
                               "r"(r[5]), "r"(r[6]), "r"(r[7]), "r"(r[8]),     \
                               "r"(r[9]));)
#define TOP_MMA_2_1_4(NAME, PTX)                                               \
  TOP_INSTRUCTION(                                                             \
      NAME, 7, 4,                                                              \
      asm volatile("mma.sync.aligned." PTX " {%0,%1,%2,%3}, {%4,%5}, {%6}, "   \
                   "{%7,%8,%9,%10};" : "=r"(d[0]),                             \
                   "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(r[0]), "r"(r[1]),  \
                   "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]));)
#define TOP_MMA_4_2_2(NAME, PTX)                                               \
  TOP_INSTRUCTION(                                                             \
      NAME, 8, 2,                                                              \
      asm volatile("mma.sync.aligned." PTX                                     \
                   " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};" : "=r"(d[0]),  \
                   "=r"(d[1]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]),    \
                   "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]));)
#define TOP_MMA_2_1_2(NAME, PTX)                                               \
  TOP_INSTRUCTION(                                                             \
      NAME, 5, 2,                                                              \
      asm volatile("mma.sync.aligned." PTX                                     \
                   " {%0,%1}, {%2,%3}, {%4}, {%5,%6};" : "=r"(d[0]),           \
                   "=r"(d[1]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]),    \
                   "r"(r[4]));)

TOP_MMA_4_2_4(MmaF16, "m16n8k16.row.col.f32.f16.f16.f32")
TOP_MMA_2_1_4(MmaF16K8, "m16n8k8.row.col.f32.f16.f16.f32")
TOP_MMA_4_2_2(MmaF16Half, "m16n8k16.row.col.f16.f16.f16.f16")
TOP_MMA_2_1_2(MmaF16HalfK8, "m16n8k8.row.col.f16.f16.f16.f16")
TOP_MMA_4_2_4(MmaBF16, "m16n8k16.row.col.f32.bf16.bf16.f32")
TOP_MMA_2_1_4(MmaBF16K8, "m16n8k8.row.col.f32.bf16.bf16.f32")
TOP_MMA_4_2_4(MmaTF32, "m16n8k8.row.col.f32.tf32.tf32.f32")
TOP_MMA_2_1_4(MmaTF32K4, "m16n8k4.row.col.f32.tf32.tf32.f32")
TOP_MMA_4_2_4(MmaE4M3, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
TOP_MMA_4_2_4(MmaE5M2, "m16n8k32.row.col.f32.e5m2.e5m2.f32")
TOP_MMA_4_2_4(MmaS8, "m16n8k32.row.col.s32.s8.s8.s32")
TOP_MMA_4_2_4(MmaU8, "m16n8k32.row.col.s32.u8.u8.s32")
TOP_MMA_4_2_4(MmaS8U8, "m16n8k32.row.col.s32.s8.u8.s32")
TOP_MMA_4_2_4(MmaS8Sat, "m16n8k32.row.col.satfinite.s32.s8.s8.s32")
TOP_MMA_4_2_4(MmaU8S8Sat, "m16n8k32.row.col.satfinite.s32.u8.s8.s32")
TOP_MMA_2_1_4(MmaS8K16, "m16n8k16.row.col.s32.s8.s8.s32")
TOP_MMA_2_1_4(MmaU8K16Sat, "m16n8k16.row.col.satfinite.s32.u8.u8.s32")

//===----------------------------------------------------------------------===//
// Matrices in shared memory: r[0] is an offset from `memory`
//===----------------------------------------------------------------------===//

#define TOP_LDMATRIX(NAME, COUNT, PTX, OUTS, ...)                              \
  TOP_INSTRUCTION(NAME, 1, COUNT,                                              \
                  asm volatile("ldmatrix.sync.aligned.m8n8." PTX               \
                               ".shared.b16 " OUTS:__VA_ARGS__ : "r"(          \
                                   memory + r[0]) : "memory");)
TOP_LDMATRIX(LdMatrix1, 1, "x1", "{%0}, [%1];", "=r"(d[0]))
TOP_LDMATRIX(LdMatrix1T, 1, "x1.trans", "{%0}, [%1];", "=r"(d[0]))
TOP_LDMATRIX(LdMatrix2, 2, "x2", "{%0,%1}, [%2];", "=r"(d[0]), "=r"(d[1]))
TOP_LDMATRIX(LdMatrix2T, 2, "x2.trans", "{%0,%1}, [%2];", "=r"(d[0]),
             "=r"(d[1]))
TOP_LDMATRIX(LdMatrix4, 4, "x4", "{%0,%1,%2,%3}, [%4];", "=r"(d[0]), "=r"(d[1]),
             "=r"(d[2]), "=r"(d[3]))
TOP_LDMATRIX(LdMatrix4T, 4, "x4.trans", "{%0,%1,%2,%3}, [%4];", "=r"(d[0]),
             "=r"(d[1]), "=r"(d[2]), "=r"(d[3]))

#define TOP_STMATRIX(NAME, INS, PTX, TEXT, ...)                                \
  TOP_INSTRUCTION(NAME, INS, 0,                                                \
                  asm volatile("stmatrix.sync.aligned.m8n8." PTX               \
                               ".shared.b16 [%0], " TEXT ::"r"(memory + r[0]), \
                               __VA_ARGS__ : "memory");)
TOP_STMATRIX(StMatrix1, 2, "x1", "{%1};", "r"(r[1]))
TOP_STMATRIX(StMatrix1T, 2, "x1.trans", "{%1};", "r"(r[1]))
TOP_STMATRIX(StMatrix2, 3, "x2", "{%1,%2};", "r"(r[1]), "r"(r[2]))
TOP_STMATRIX(StMatrix2T, 3, "x2.trans", "{%1,%2};", "r"(r[1]), "r"(r[2]))
TOP_STMATRIX(StMatrix4, 5, "x4", "{%1,%2,%3,%4};", "r"(r[1]), "r"(r[2]),
             "r"(r[3]), "r"(r[4]))
TOP_STMATRIX(StMatrix4T, 5, "x4.trans", "{%1,%2,%3,%4};", "r"(r[1]), "r"(r[2]),
             "r"(r[3]), "r"(r[4]))

//===----------------------------------------------------------------------===//
// Between the lanes of a warp
//===----------------------------------------------------------------------===//

// Operands as nvvm.shfl.sync has them: mask, value, offset, mask and clamp.
#define TOP_SHFL(NAME, KIND)                                                   \
  TOP_INSTRUCTION(NAME, 4, 2,                                                  \
                  asm volatile("{ .reg .pred p; shfl.sync." KIND               \
                               ".b32 %0|p, %2, %3, %4, %5; "                   \
                               "selp.u32 %1, 1, 0, p; }" : "=r"(d[0]),         \
                               "=r"(d[1]) : "r"(r[1]), "r"(r[2]), "r"(r[3]),   \
                               "r"(r[0]));)
TOP_SHFL(ShflBfly, "bfly")
TOP_SHFL(ShflUp, "up")
TOP_SHFL(ShflDown, "down")
TOP_SHFL(ShflIdx, "idx")

#define TOP_VOTE(NAME, KIND)                                                   \
  TOP_INSTRUCTION(                                                             \
      NAME, 2, 1,                                                              \
      asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; "                 \
                   "vote.sync." KIND ".pred q, p, %2; "                        \
                   "selp.u32 %0, 1, 0, q; }" : "=r"(d[0]) : "r"(r[1]),         \
                   "r"(r[0]));)
TOP_VOTE(VoteAny, "any")
TOP_VOTE(VoteAll, "all")
TOP_VOTE(VoteUni, "uni")
TOP_INSTRUCTION(
    VoteBallot, 2, 1,
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; "
                 "vote.sync.ballot.b32 %0, p, %2; }" : "=r"(d[0]) : "r"(r[1]),
                 "r"(r[0]));)

#define TOP_REDUX(NAME, KIND)                                                  \
  TOP_INSTRUCTION(NAME, 2, 1,                                                  \
                  asm volatile("redux.sync." KIND                              \
                               " %0, %1, %2;" : "=r"(d[0]) : "r"(r[0]),        \
                               "r"(r[1]));)
TOP_REDUX(ReduxAdd, "add.s32")
TOP_REDUX(ReduxMin, "min.s32")
TOP_REDUX(ReduxMax, "max.s32")
TOP_REDUX(ReduxUmin, "min.u32")
TOP_REDUX(ReduxUmax, "max.u32")
TOP_REDUX(ReduxAnd, "and.b32")
TOP_REDUX(ReduxOr, "or.b32")
TOP_REDUX(ReduxXor, "xor.b32")

TOP_INSTRUCTION(
    MatchAny, 2, 1,
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(d[0]) : "r"(r[1]),
                 "r"(r[0]));)
TOP_INSTRUCTION(MatchAll, 2, 2,
                asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; "
                             "selp.u32 %1, 1, 0, p; }" : "=r"(d[0]),
                             "=r"(d[1]) : "r"(r[1]), "r"(r[0]));)
TOP_INSTRUCTION(
    ElectSync, 1, 1,
    asm volatile("{ .reg .pred p; elect.sync _|p, %1; "
                 "selp.u32 %0, 1, 0, p; }" : "=r"(d[0]) : "r"(r[0]));)

//===----------------------------------------------------------------------===//
// Of one thread
//===----------------------------------------------------------------------===//

#define TOP_CVT_TF32(NAME, MODE)                                               \
  TOP_INSTRUCTION(                                                             \
      NAME, 1, 1,                                                              \
      asm volatile("cvt." MODE ".tf32.f32 %0, %1;" : "=r"(d[0]) : "r"(r[0]));)
TOP_CVT_TF32(CvtTF32Rna, "rna")
TOP_CVT_TF32(CvtTF32RnaSat, "rna.satfinite")
TOP_CVT_TF32(CvtTF32Rn, "rn")
TOP_CVT_TF32(CvtTF32RnRelu, "rn.relu")
TOP_CVT_TF32(CvtTF32Rz, "rz")
TOP_CVT_TF32(CvtTF32RzRelu, "rz.relu")

#define TOP_CVT_X2(NAME, MODE, TYPE)                                           \
  TOP_INSTRUCTION(NAME, 2, 1,                                                  \
                  asm volatile("cvt." MODE "." TYPE                            \
                               ".f32 %0, %1, %2;" : "=r"(d[0]) : "r"(r[0]),    \
                               "r"(r[1]));)
TOP_CVT_X2(CvtF16Rn, "rn", "f16x2")
TOP_CVT_X2(CvtF16RnRelu, "rn.relu", "f16x2")
TOP_CVT_X2(CvtF16Rz, "rz", "f16x2")
TOP_CVT_X2(CvtF16RnSat, "rn.satfinite", "f16x2")
TOP_CVT_X2(CvtF16RzSatRelu, "rz.relu.satfinite", "f16x2")
TOP_CVT_X2(CvtBF16Rn, "rn", "bf16x2")
TOP_CVT_X2(CvtBF16RnRelu, "rn.relu", "bf16x2")
TOP_CVT_X2(CvtBF16Rz, "rz", "bf16x2")
TOP_CVT_X2(CvtBF16RnSat, "rn.satfinite", "bf16x2")

#define TOP_CVT_F8(NAME, TEXT, INS, ...)                                       \
  TOP_INSTRUCTION(NAME, INS, 1, uint16_t h;                                    \
                  asm volatile(TEXT : "=h"(h) : __VA_ARGS__); d[0] = h;)
TOP_CVT_F8(CvtE4M3, "cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", 2, "r"(r[0]),
           "r"(r[1]))
TOP_CVT_F8(CvtE4M3Relu, "cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;", 2,
           "r"(r[0]), "r"(r[1]))
TOP_CVT_F8(CvtE5M2, "cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;", 2, "r"(r[0]),
           "r"(r[1]))
TOP_CVT_F8(CvtE5M2Relu, "cvt.rn.satfinite.relu.e5m2x2.f32 %0, %1, %2;", 2,
           "r"(r[0]), "r"(r[1]))
TOP_CVT_F8(CvtE4M3F16, "cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;", 1, "r"(r[0]))
TOP_CVT_F8(CvtE4M3F16Relu, "cvt.rn.satfinite.relu.e4m3x2.f16x2 %0, %1;", 1,
           "r"(r[0]))
TOP_CVT_F8(CvtE5M2F16, "cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;", 1, "r"(r[0]))
TOP_INSTRUCTION(CvtF16E4M3, 1, 1,
                asm volatile("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(d[0]) : "h"(
                    uint16_t(r[0])));)
TOP_INSTRUCTION(CvtF16E4M3Relu, 1, 1,
                asm volatile("cvt.rn.relu.f16x2.e4m3x2 %0, %1;" : "=r"(
                    d[0]) : "h"(uint16_t(r[0])));)
TOP_INSTRUCTION(CvtF16E5M2, 1, 1,
                asm volatile("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(d[0]) : "h"(
                    uint16_t(r[0])));)

// What llvm.fptrunc becomes.
TOP_INSTRUCTION(TruncF16, 1, 1, uint16_t h;
                asm volatile("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "r"(r[0]));
                d[0] = h;)
TOP_INSTRUCTION(TruncBF16, 1, 1, uint16_t h;
                asm volatile("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "r"(r[0]));
                d[0] = h;)

TOP_INSTRUCTION(
    RcpApprox, 1, 1,
    asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=r"(d[0]) : "r"(r[0]));)
TOP_INSTRUCTION(
    Ex2Approx, 1, 1,
    asm volatile("ex2.approx.f32 %0, %1;" : "=r"(d[0]) : "r"(r[0]));)
TOP_INSTRUCTION(
    Ex2ApproxFtz, 1, 1,
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=r"(d[0]) : "r"(r[0]));)

#define TOP_DOT(NAME, PTX)                                                     \
  TOP_INSTRUCTION(NAME, 3, 1,                                                  \
                  asm volatile(PTX                                             \
                               " %0, %1, %2, %3;" : "=r"(d[0]) : "r"(r[0]),    \
                               "r"(r[1]), "r"(r[2]));)
TOP_DOT(Dp4aSS, "dp4a.s32.s32")
TOP_DOT(Dp4aSU, "dp4a.s32.u32")
TOP_DOT(Dp4aUS, "dp4a.u32.s32")
TOP_DOT(Dp4aUU, "dp4a.u32.u32")
TOP_DOT(Dp2aLoSS, "dp2a.lo.s32.s32")
TOP_DOT(Dp2aHiSU, "dp2a.hi.s32.u32")
TOP_DOT(Dp2aHiUS, "dp2a.hi.u32.s32")
TOP_DOT(Dp2aLoUU, "dp2a.lo.u32.u32")

// Operands as nvvm.prmt has them: low, high, selector.
#define TOP_PRMT(NAME, MODE)                                                   \
  TOP_INSTRUCTION(NAME, 3, 1,                                                  \
                  asm volatile("prmt.b32" MODE                                 \
                               " %0, %1, %2, %3;" : "=r"(d[0]) : "r"(r[0]),    \
                               "r"(r[1]), "r"(r[2]));)
TOP_PRMT(PrmtDefault, "")
TOP_PRMT(PrmtF4e, ".f4e")
TOP_PRMT(PrmtB4e, ".b4e")
// The others have no high word: low, selector.
#define TOP_PRMT_1(NAME, MODE)                                                 \
  TOP_INSTRUCTION(NAME, 2, 1,                                                  \
                  asm volatile("prmt.b32" MODE                                 \
                               " %0, %1, 0, %2;" : "=r"(d[0]) : "r"(r[0]),     \
                               "r"(r[1]));)
TOP_PRMT_1(PrmtRc8, ".rc8")
TOP_PRMT_1(PrmtEcl, ".ecl")
TOP_PRMT_1(PrmtEcr, ".ecr")
TOP_PRMT_1(PrmtRc16, ".rc16")

#endif // TOP_UTILS_GPU_GOLDEN_INSTRUCTIONS_H
