"""Hardware counters of one kernel, by NVIDIA's profiler `ncu`, where it is there and permitted.

The profiled program is docs/examples/launch.py, which runs a plan once on random
inputs. Names are those of Nsight Compute's "Metrics Reference" and of its
--query-metrics; one that this chip or version does not know is left out.
"""

import csv
import pathlib
import re
import shutil
import subprocess
import sys

LAUNCH = str(pathlib.Path(__file__).resolve().parent.parent.parent / "docs/examples/launch.py")
TIMEOUT = 90  # seconds for one kernel: a profile replays it once for every few counters

# For each field of a row, metrics that are added up, or alternatives after `or`.
FIELDS = {
    # Turns of the shared memory beyond what the accesses of a warp need.
    "conflicts_load": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"],
    "conflicts_ldmatrix": ["sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldsm.sum"],
    "conflicts_store": ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"],
    "wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"],
    # Instructions of a warp, and sectors of 32 bytes that they touch. cp.async is ldgsts.
    "load_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                      "l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum"],
    "load_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                     "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"],
    "store_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    "store_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "l2_read_sectors": ["lts__t_sectors_op_read.sum"],
    "l2_write_sectors": ["lts__t_sectors_op_write.sum"],
    "dram_read_bytes": ["dram__bytes_read.sum"],
    "dram_write_bytes": ["dram__bytes_write.sum"],
    # Percent of what is possible while a kernel runs.
    "achieved_occupancy": ["sm__warps_active.avg.pct_of_peak_sustained_active"],
    "tensor_pipe": ["sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active", "or",
                    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "or",
                    "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active"],
    "issue": ["sm__inst_issued.avg.pct_of_peak_sustained_active"],
    "shared_pipe": ["l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active"],
    "l2": ["lts__t_sectors.avg.pct_of_peak_sustained_elapsed"],
    "dram": ["dram__throughput.avg.pct_of_peak_sustained_elapsed"],
    "fma_pipe": ["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"],
    "profiled_ns": ["gpu__time_duration.sum"],
}


def to_number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None  # n/a


def parse(output):
    """{metric: value} of the first kernel in `ncu --csv --page raw`; a second line there has the units."""
    lines = output.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return {}
    kernels = [row for row in csv.DictReader(lines[start:]) if row["ID"]]
    return {name: to_number(value or "") for name, value in kernels[0].items()} if kernels else {}


def to_fields(metrics):
    """The fields of a row; None where none of a field's metrics was counted."""
    fields = {}
    for field, names in FIELDS.items():
        fields[field] = None
        for group in " ".join(names).split(" or "):
            values = [metrics[name] for name in group.split() if metrics.get(name) is not None]
            if values:
                fields[field] = sum(values)
                break
    return fields


class Profiler:
    """Asks ncu; once it is clear that it cannot count here, `problem` says why and nothing more is tried."""

    def __init__(self):
        self.ncu = shutil.which("ncu")
        self.problem = None if self.ncu else "ncu is not on the path: nothing is counted"
        self.unknown = set()

    def count(self, ptx, plan, kernel):
        """(fields, None) of the first launch of a kernel, or (None, why not)."""
        if self.problem:
            return None, self.problem
        while True:
            wanted = [n for names in FIELDS.values() for n in names if n != "or" and n not in self.unknown]
            command = [self.ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
                       "--kernel-name", kernel, "--launch-count", "1", "--metrics", ",".join(wanted),
                       sys.executable, LAUNCH, str(ptx), str(plan)]
            try:
                result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                return None, f"no counters after {TIMEOUT} s"
            metrics = parse(result.stdout)
            if metrics:
                return to_fields(metrics), None
            output = result.stdout + result.stderr
            unknown = set(re.findall(r"Failed to find metric:? *'?(?:regex:\^?)?([\w.]+)", output)) - self.unknown
            if not unknown:
                said = [line for line in output.splitlines() if re.search(r"error|ERR_|failed", line, re.I)]
                error = (said or [f"ncu ended with {result.returncode} and no counters"])[0].strip()
                if "ERR_NVGPUCTRPERM" in output or "initialize the profiler" in output:
                    self.problem = error
                return None, error
            self.unknown |= unknown
