"""A matrix product in Triton, autotuned: what time-plan.py measures against.

Tiles with tl.dot, sums in f32, tiles started in bands of GROUP tile rows so that
blocks that run together share operands in the L2. Operands may be batched and
of any strides; edges are masked only where a tile does not divide.
"""

import triton
import triton.language as tl

# BM, BN, BK, stages, warps: large products, then ones of few tiles, then few rows.
# Where a chip lacks the shared memory for one, the autotuner drops it.
SHAPES = [(128, 256, 64, 3, 8), (256, 128, 64, 3, 8), (128, 256, 32, 4, 8), (128, 128, 64, 4, 8), (128, 128, 64, 3, 4),
          (128, 128, 32, 4, 4), (64, 256, 32, 4, 4), (64, 128, 64, 4, 4), (64, 64, 64, 5, 4), (32, 64, 128, 4, 4),
          (16, 128, 128, 4, 4)]
CONFIGS = [triton.Config({"BM": bm, "BN": bn, "BK": bk, "GROUP": 8}, num_stages=stages, num_warps=warps)
           for bm, bn, bk, stages, warps in SHAPES]


@triton.autotune(configs=CONFIGS, key=["m", "n", "k", "a_k", "b_n"])
@triton.heuristics({"EVEN_M": lambda a: a["m"] % a["BM"] == 0, "EVEN_N": lambda a: a["n"] % a["BN"] == 0,
                    "EVEN_K": lambda a: a["k"] % a["BK"] == 0})
@triton.jit
def matmul_kernel(a, b, c, m, n, k, a_batch, a_m, a_k, b_batch, b_k, b_n, c_batch, PRECISION: tl.constexpr,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
                  EVEN_M: tl.constexpr, EVEN_N: tl.constexpr, EVEN_K: tl.constexpr):
    columns = tl.cdiv(n, BN)
    number = tl.program_id(0)
    first = number // (GROUP * columns) * GROUP
    height = min(tl.cdiv(m, BM) - first, GROUP)
    within = number % (GROUP * columns)
    i = (first + within % height) * BM + tl.arange(0, BM)
    j = within // height * BN + tl.arange(0, BN)
    l = tl.arange(0, BK)
    batch = tl.program_id(1).to(tl.int64)
    a_tile = a + batch * a_batch + i[:, None].to(tl.int64) * a_m + l[None, :] * a_k
    b_tile = b + batch * b_batch + l[:, None].to(tl.int64) * b_k + j[None, :] * b_n
    in_m = (i < m)[:, None]
    in_n = (j < n)[None, :]
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        a_mask = True if EVEN_M else in_m
        b_mask = True if EVEN_N else in_n
        if not EVEN_K:
            a_mask = a_mask & (l < k - start)[None, :]
            b_mask = b_mask & (l < k - start)[:, None]
        if EVEN_M and EVEN_K:
            x = tl.load(a_tile)
        else:
            x = tl.load(a_tile, mask=a_mask, other=0.0)
        if EVEN_N and EVEN_K:
            y = tl.load(b_tile)
        else:
            y = tl.load(b_tile, mask=b_mask, other=0.0)
        sums = tl.dot(x, y, sums, input_precision=PRECISION)
        a_tile += BK * a_k
        b_tile += BK * b_k
    c_tile = c + batch * c_batch + i[:, None].to(tl.int64) * n + j[None, :]
    tl.store(c_tile, sums.to(c.dtype.element_ty), mask=in_m & in_n)


def prepare(a, b, c, precision):
    """Grid and arguments of the kernel for c = a b, each [batch,] rows, columns; c is row major."""
    m, k = a.shape[-2:]
    n = b.shape[-1]
    batches = a.shape[0] if a.dim() == 3 else 1
    over = [x.stride(0) if x.dim() == 3 else 0 for x in (a, b, c)]
    arguments = (a, b, c, m, n, k, over[0], *a.stride()[-2:], over[1], *b.stride()[-2:], over[2], precision)
    return lambda meta: (triton.cdiv(m, meta["BM"]) * triton.cdiv(n, meta["BN"]), batches), arguments


def matmul(a, b, c, precision="ieee"):
    """c = a b. `precision` of f32 operands: ieee or tf32."""
    grid, arguments = prepare(a, b, c, precision)
    matmul_kernel[grid](*arguments)


def best():
    """The configuration of the last product."""
    config = matmul_kernel.best_config
    tile = "x".join(str(config.kwargs[name]) for name in ("BM", "BN", "BK"))
    return f"{tile}, {config.num_stages} stages, {config.num_warps} warps"
