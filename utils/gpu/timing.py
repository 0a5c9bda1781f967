"""How kernels are timed and checked on a device: what time-plan.py, time-conv.py and run-ladder.py share.

A contender is a call that computes one layer into buffers of a set. Sets of
operands rotate, so that more than twice the L2 lies between two uses of one.
Several calls are captured into a CUDA graph, which is replayed; a sample is the
time of a replay, by CUDA events, divided by its calls. All replays of a block
are in the stream before the first has ended. Needs PyTorch and NumPy.
"""

import ctypes
import math
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "docs/examples"))
try:
    import numpy as np
    import torch

    import launch
    missing = None
except ImportError as error:  # start() says so; until then --help and wrong flags are answered
    torch = None
    missing = str(error)

TORCH_TYPES = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16"}
HALF_ULP = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
# ||got - expected|| / ||expected|| of a right result: rounding of the result is
# about 0.4 half ulps, and tf32 takes off 13 bits of each operand.
NORM_LIMIT = {"f64": 1e-14, "f32": 1e-5, "tf32": 1e-3, "f16": 1e-3, "bf16": 5e-3}
WARM_UP = 0.15  # seconds in front of each block
BLOCK = 0.1  # seconds of measuring in a block
BLOCKS = 5
GRAPH = 0.002  # seconds that a graph's calls should take, so that starting it does not count
MOST_CALLS = 512  # of a graph
MOST_STEPS = 8  # of a plan whose steps are told apart
MOST_REPLAYS = 500  # of a block: what fits into the queue of launches
# CUfunction_attribute values of cuda.h.
LOCAL_SIZE_BYTES, NUM_REGS = 3, 4


def geometric_mean(values):
    """Of ratios; None of none."""
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


class Nvml:
    """Clock of the SMs in MHz and power in W, None where the driver does not tell."""

    CLOCK_SM = 1

    def __init__(self):
        self.device = None
        try:
            self.nvml = ctypes.CDLL("libnvidia-ml.so.1")
            device = ctypes.c_void_p()
            uuid = f"GPU-{torch.cuda.get_device_properties(0).uuid}".encode()
            if self.nvml.nvmlInit_v2() == 0 and (
                    self.nvml.nvmlDeviceGetHandleByUUID(ctypes.c_char_p(uuid), ctypes.byref(device)) == 0):
                self.device = device
        except (OSError, AttributeError):
            pass

    def sample(self):
        """(MHz, W)."""
        clock, power = ctypes.c_uint(), ctypes.c_uint()
        if self.device is None or self.nvml.nvmlDeviceGetClockInfo(
                self.device, self.CLOCK_SM, ctypes.byref(clock)) != 0:
            return None, None
        if self.nvml.nvmlDeviceGetPowerUsage(self.device, ctypes.byref(power)) != 0:
            return clock.value, None
        return clock.value, power.value / 1000


def torch_type(kind):
    return getattr(torch, TORCH_TYPES[kind])


class Product:
    """Operands and results of a case (products.make), in sets that rotate."""

    def __init__(self, case, seed):
        b, m, n, k = case["batch"] or 1, case["m"], case["n"], case["k"]
        self.case, self.kind = case, "tf32" if case["tf32"] else case["type"]
        self.flops = 2 * b * m * n * k
        element = torch.finfo(torch_type(case["type"])).bits // 8
        self.bytes = b * (m * k + k * n + m * n) * element  # each read or written once
        properties = torch.cuda.get_device_properties(0)
        wanted = 2 * properties.L2_cache_size // max(self.bytes, 1) + 2
        room = int(0.8 * torch.cuda.mem_get_info()[0]) // max(self.bytes, 1)
        self.count = max(1, min(wanted, room, MOST_CALLS))
        self.cached = self.count < wanted  # perhaps read from the L2
        batch = [] if case["batch"] is None else [b]
        generator = torch.Generator("cuda").manual_seed(seed)

        def random(rows, columns, transposed):
            shape = batch + ([columns, rows] if transposed else [rows, columns])
            return torch.randn(shape, generator=generator, device="cuda", dtype=torch.float32).to(
                torch_type(case["type"]))
        self.sets = [(random(m, k, case["transpose_a"]), random(k, n, case["transpose_b"]),
                      torch.empty(batch + [m, n], device="cuda", dtype=torch_type(case["result_type"])))
                     for _ in range(self.count)]

    def operands(self, index):
        """lhs as [.., M, K], rhs as [.., K, N] (views where stored transposed), result."""
        a, b, c = self.sets[index]
        return a.mT if self.case["transpose_a"] else a, b.mT if self.case["transpose_b"] else b, c

    def check(self, call):
        """None if the call computes set 0 right, else what is wrong.

        Every row is compared with PyTorch's product, by norm; of a result of fewer
        than 64 columns every column instead, or all of it if it is as low: the norm
        of few sums may be near 0. 64 rows are compared with f64, each element: half an ulp of the result and K * 2^-24 * sum|a*b| of
        rounding, 2^-9 of that sum more for operands cut to tf32.
        """
        a, b, c = self.operands(0)
        limit, bits = NORM_LIMIT[self.kind], torch.finfo(c.dtype)
        torch.matmul(a, b, out=c)
        theirs = c.clone()
        c.fill_(math.nan)
        call(0)
        torch.cuda.synchronize()
        if torch.isnan(c).any():
            return f"{int(torch.isnan(c).sum())} of {c.numel()} elements are NaN or not written"
        # Row by row, so that one wrong tile shows; f32 norms of rows do not overflow.
        along, lines = (-1, "rows") if c.shape[-1] >= 64 else (-2, "columns")
        if max(c.shape[-2:]) < 64:
            along, lines = (-2, -1), "matrices"
        off = torch.linalg.vector_norm(c.float() - theirs.float(), dim=along)
        wrong = off > 2 * limit * torch.linalg.vector_norm(theirs.float(), dim=along) + bits.tiny
        if wrong.any():
            return f"{int(wrong.sum())} of {wrong.numel()} {lines} differ from PyTorch's"
        rows = torch.linspace(0, c.shape[-2] - 1, min(64, c.shape[-2]), device="cuda").round().long()
        batches = range(0, c.shape[0], max(1, c.shape[0] // 4)) if c.dim() == 3 else [slice(None)]
        for batch in batches:
            x, y = a[batch][rows].double(), b[batch].double()
            expected, size = x @ y, x.abs() @ y.abs()
            got = c[batch][rows].double()
            bound = 1.01 * HALF_ULP[self.case["result_type"]] * expected.abs() + bits.tiny
            bound += (self.case["k"] * 2.0**-24 + (2.0**-9 if self.kind == "tf32" else 0)) * size
            wrong = ~((got - expected).abs() <= bound)
            if wrong.any():
                r, col = (int(i) for i in torch.nonzero(wrong)[0])
                return (f"{int(wrong.sum())} of {wrong.numel()} sampled elements wrong; row {int(rows[r])} "
                        f"column {col} got {got[r, col].item():.6g} expected {expected[r, col].item():.6g}")
            norm = ((got - expected).norm() / expected.norm().clamp(min=bits.tiny)).item()
            if norm > limit:
                return f"relative error {norm:.3g}, above {limit:g}"
        return None


class Plan:
    """The kernels of a launch plan, with one function, on sets of tensors.

    `sets` are tuples of tensors, each the arguments of the function in their
    order and then its results. Constants are there once for each set, so that
    they are in the cache no more than arguments are; workspace is shared, and NaN
    at first. `code` is PTX, or what ptxas made of it.
    """

    def __init__(self, driver, code, plan, sets):
        self.driver, self.code, self.plan = driver, code, plan
        self.module = driver.load(code)
        self.own, self.addresses = [], []
        places = {buffer: place for place, buffer in enumerate(plan["arguments"] + plan["results"])}
        shared = {}
        for index, buffer in enumerate(plan["buffers"]):
            if index in places:
                continue
            size = max(buffer["bytes"], 1)
            if buffer["kind"] == "constant":
                values = torch.from_numpy(launch.constant_array(buffer).view(np.uint8).copy()).cuda()
                copies = [values] + [values.clone() for _ in sets[1:]]
            else:
                copies = [torch.full([size], 0xff, dtype=torch.uint8, device="cuda")] * len(sets)
            self.own += copies
            shared[index] = [data.data_ptr() for data in copies]
        for number, tensors in enumerate(sets):
            self.addresses.append([tensors[places[i]].data_ptr() if i in places else shared[i][number]
                                   for i in range(len(plan["buffers"]))])

    def __call__(self, index):
        self.run(index, self.plan)

    def run(self, index, plan):
        self.driver.stream = torch.cuda.current_stream().cuda_stream
        launch.enqueue(self.driver, self.module, plan, self.addresses[index])

    def prefix(self, count):
        """A call of the first `count` steps alone."""
        plan = {**self.plan, "steps": self.plan["steps"][:count]}
        return lambda index: self.run(index, plan)

    def registers(self, kernel):
        """Registers a thread and bytes of local memory, as the driver assembled the PTX."""
        function = ctypes.c_void_p()
        self.driver.call("cuModuleGetFunction", ctypes.byref(function), self.module, kernel.encode())
        values = []
        for attribute in (NUM_REGS, LOCAL_SIZE_BYTES):
            value = ctypes.c_int()
            self.driver.call("cuFuncGetAttribute", ctypes.byref(value), attribute, function)
            values.append(value.value)
        return tuple(values)

    def close(self):
        self.driver.unload(self.code)


def seconds_of(run):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1000


def capture(call, sets):
    """(graph, calls in it, seconds of a replay)."""
    call(0)
    once = seconds_of(lambda: call(0))
    calls = min(MOST_CALLS, max(sets, math.ceil(GRAPH / max(once, 1e-7))))
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for index in range(calls):
            call(index % sets)
    return graph, calls, seconds_of(graph.replay)


def measure_block(graph, replay_seconds, nvml, warm_up=WARM_UP, block=BLOCK):
    """(seconds of each replay, samples of clock and power) of one block."""
    if replay_seconds < warm_up:
        for _ in range(math.ceil(warm_up / replay_seconds)):
            graph.replay()
        torch.cuda.synchronize()
    replays = min(MOST_REPLAYS, max(1, math.ceil(block / replay_seconds)))
    events = [torch.cuda.Event(enable_timing=True) for _ in range(replays + 1)]
    # One more in front, so that the first interval has no start of the stream in it.
    graph.replay()
    events[0].record()
    for event in events[1:]:
        graph.replay()
        event.record()
    samples = [nvml.sample()]
    while not events[-1].query():
        time.sleep(0.005)
        samples.append(nvml.sample())
    events[-1].synchronize()
    return [a.elapsed_time(b) / 1000 for a, b in zip(events, events[1:])], samples


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def measure(contenders, product, nvml, blocks=BLOCKS, longest=30.0, warm_up=WARM_UP, block=BLOCK):
    """Times named calls in interleaved blocks; fewer where one would take more than `longest` seconds.

    `product` has the number of sets, `count`, and the `flops` and `bytes` of a call.

    Returns for each name mean, p50, p95 and min in microseconds a call, TFLOP/s
    and GB/s at p50, MHz and W while it ran.
    """
    graphs = {name: capture(call, product.count) for name, call in contenders.items()}
    slowest = max(2 * max(seconds, 0.5 * (warm_up + block)) for _, _, seconds in graphs.values())
    blocks = max(1, min(blocks, int(longest / slowest)))
    times, states = {name: [] for name in graphs}, {name: [] for name in graphs}
    for _ in range(blocks):
        for name, (graph, calls, seconds) in graphs.items():
            found, state = measure_block(graph, seconds, nvml, warm_up, block)
            times[name] += [t / calls for t in found]
            states[name] += state
    result = {}
    for name, values in times.items():
        p50, p95 = np.percentile(values, [50, 95])
        result[name] = {"mean_us": 1e6 * mean(values), "p50_us": 1e6 * p50, "p95_us": 1e6 * p95,
                        "min_us": 1e6 * min(values), "samples": len(values), "calls": graphs[name][1],
                        "tflops": product.flops / p50 / 1e12, "gbs": product.bytes / p50 / 1e9,
                        "mhz": mean(s[0] for s in states[name]), "watts": mean(s[1] for s in states[name])}
    return result


def measure_steps(ours, product, nvml):
    """[[kernel, microseconds]] of the steps of a Plan; none of a plan of one step or of many.

    A step is the time of the plan up to it less that of the plan before it.
    """
    steps = ours.plan["steps"]
    names = [step.get("launch", "copy") for step in steps]
    if len(steps) == 1 or len(steps) > MOST_STEPS:
        return []
    calls = {str(count): ours.prefix(count) for count in range(1, len(steps) + 1)}
    times = measure(calls, product, nvml, blocks=3, warm_up=0.04, block=0.04)
    ends = [0] + [times[name]["p50_us"] for name in calls]
    return [[name, end - start] for name, start, end in zip(names, ends, ends[1:])]


def start():
    """(driver, Nvml) that share the device's context with PyTorch; ends the program where there is no GPU."""
    if missing:
        sys.exit(f"error: NumPy and PyTorch are needed: {missing}")
    if not torch.cuda.is_available():
        sys.exit("error: PyTorch sees no GPU here")
    torch.zeros(1, device="cuda")
    return launch.Driver(), Nvml()


def is_lost(error):
    """Whether nothing can run on the context any more."""
    return any(text in str(error) for text in ("ILLEGAL", "LAUNCH_FAILED", "illegal", "unspecified launch failure",
                                               "misaligned", "MISALIGNED", "LAUNCH_TIMEOUT"))


def about():
    """What a row says of the machine."""
    return {"device": torch.cuda.get_device_name(), "torch_version": torch.__version__,
            "cuda_version": torch.version.cuda}


def text(value, form="{:.1f}"):
    return "-" if value is None else form.format(value)


def table(header, rows):
    """Lines of a Markdown table, the first column to the left."""
    lines = [header, ["---"] + ["--:"] * (len(header) - 1)] + rows
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
