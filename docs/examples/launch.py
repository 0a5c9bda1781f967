#!/usr/bin/env python3
"""Runs a launch plan of top-compile with the CUDA driver and NumPy.

    top-compile gemm.mlir --chip=sm_80 -o gemm.ptx --plan=gemm.json
    python3 launch.py gemm.ptx gemm.json

Needs the driver (libcuda.so.1) and NumPy, and no toolkit. docs/LaunchPlan.md
describes the plan.
"""

import ctypes
import json
import sys

import numpy as np

# bf16 has no NumPy type: its values are the upper halves of f32. Nor have floats
# of 8 bits: their values are bytes.
NUMPY_TYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16,
               "f8E4M3FN": np.uint8, "f8E5M2": np.uint8,
               "i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8, "i1": np.int8}
# CUfunction_attribute and CUresult values of cuda.h.
MAX_DYNAMIC_SHARED_SIZE_BYTES = 8


class Driver:
    """The calls of the CUDA driver that a plan needs; each raises on an error."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.modules = {}  # by PTX text
        self.stream = None  # of launches and copies on the device: a CUstream; None is the default one

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(status, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'unknown error').decode()}")

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
        return pointer.value

    def free(self, pointer):
        self.call("cuMemFree_v2", ctypes.c_uint64(pointer))

    def upload(self, pointer, array):
        if array.nbytes:
            self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(pointer),
                      array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))

    def download(self, array, pointer):
        if array.nbytes:
            self.call("cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p),
                      ctypes.c_uint64(pointer), ctypes.c_size_t(array.nbytes))

    def copy(self, destination, source, size):
        self.call("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(destination), ctypes.c_uint64(source),
                  ctypes.c_size_t(size), ctypes.c_void_p(self.stream))

    def load(self, ptx):
        if ptx not in self.modules:
            module = ctypes.c_void_p()
            self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(ptx))
            self.modules[ptx] = module
        return self.modules[ptx]

    def unload(self, ptx):
        self.call("cuModuleUnload", self.modules.pop(ptx))

    def launch(self, module, step, addresses):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, step["launch"].encode())
        self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED_SIZE_BYTES,
                  step["shared_bytes"])
        values = [ctypes.c_uint64(a["scalar"] if "scalar" in a else addresses[a["buffer"]] + a["offset"])
                  for a in step["arguments"]]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        self.call("cuLaunchKernel", function, *step["grid"], *step["block"], step["shared_bytes"],
                  ctypes.c_void_p(self.stream), pointers, None)

    def synchronize(self):
        self.call("cuCtxSynchronize")


def constant_array(buffer):
    """The values of a constant: hexadecimal bytes, one element of a splat."""
    values = np.frombuffer(bytes.fromhex(buffer["values"]["hex"]), NUMPY_TYPES[buffer["type"]])
    return np.ascontiguousarray(np.broadcast_to(values, np.prod(buffer["shape"], dtype=int))
                                if buffer["values"]["splat"] else values)


def boxes(shape):
    """Positions of the rows of a box: all indices but the last."""
    return np.ndindex(*shape[:-1]) if shape else [()]


def copy_box(driver, copy, addresses):
    """Copies a strided box row by row, or element by element where rows have gaps."""
    size = copy["element_bytes"]
    shape = copy["shape"] or [1]
    sides = [(addresses[copy[side]] + copy[side + "_offset"], copy[side + "_strides"] or [size])
             for side in ("destination", "source")]
    dense = all(strides[-1] == size for _, strides in sides)
    for row in boxes(shape):
        starts = [base + sum(i * s for i, s in zip(row, strides)) for base, strides in sides]
        if dense:
            driver.copy(*starts, size * shape[-1])
            continue
        for i in range(shape[-1]):
            driver.copy(*(start + i * strides[-1] for start, (_, strides) in zip(starts, sides)), size)


def enqueue(driver, module, plan, addresses):
    """Puts the steps of a function into the driver's stream; buffer B lies at addresses[B]."""
    for step in plan["steps"]:
        if "launch" in step:
            driver.launch(module, step, addresses)
        else:
            copy_box(driver, step["copy"], addresses)


def run(driver, ptx, plan, arguments, fill=0xff, guard=0):
    """Runs one function of a plan on arrays; returns its results.

    Results and workspace start as bytes `fill` (NaN in every float type), with
    `guard` bytes of it on both sides of every buffer. Raises where those changed.
    """
    module = driver.load(ptx) if plan["steps"] else None  # an empty file is no module
    bases, addresses = [], []
    for buffer in plan["buffers"]:
        base = driver.allocate(buffer["bytes"] + 2 * guard)
        driver.upload(base, np.full(buffer["bytes"] + 2 * guard, fill, np.uint8))
        bases.append(base)
        addresses.append(base + guard)
        if buffer["kind"] == "argument":
            driver.upload(addresses[-1], np.ascontiguousarray(arguments[buffer["index"]]))
        elif buffer["kind"] == "constant":
            driver.upload(addresses[-1], constant_array(buffer))
    enqueue(driver, module, plan, addresses)
    driver.synchronize()
    results = []
    for index in plan["results"]:
        buffer = plan["buffers"][index]
        result = np.empty(buffer["shape"], NUMPY_TYPES[buffer["type"]])
        driver.download(result, addresses[index])
        results.append(result)
    for number, (buffer, base) in enumerate(zip(plan["buffers"], bases)):
        for start in (base, base + guard + buffer["bytes"]) if guard else ():
            zone = np.empty(guard, np.uint8)
            driver.download(zone, start)
            if (zone != fill).any():
                raise RuntimeError(f"wrote outside buffer {number}")
        driver.free(base)
    return results


def main():
    ptx_file, plan_file = sys.argv[1:3]
    with open(ptx_file, "rb") as file:
        ptx = file.read()
    with open(plan_file) as file:
        functions = json.load(file)["functions"]
    driver = Driver()
    random = np.random.default_rng(0)
    for plan in functions:
        arguments = []
        for index in plan["arguments"]:
            buffer = plan["buffers"][index]
            values = random.standard_normal(buffer["shape"]).astype(np.float32)
            if buffer["type"] == "bf16":
                values = (values.view(np.uint32) >> 16).astype(np.uint16)
            elif buffer["type"] == "f8E5M2":  # the upper halves of f16
                values = (values.astype(np.float16).view(np.uint16) >> 8).astype(np.uint8)
            elif buffer["type"] == "f8E4M3FN":  # any bytes but 0x7f and 0xff, which are NaN
                values = random.integers(0, 0x7f, buffer["shape"]) + 0x80 * random.integers(0, 2, buffer["shape"])
            elif buffer["type"].startswith("i"):
                values = values * 16
            arguments.append(values.astype(NUMPY_TYPES[buffer["type"]]))
        for index, result in enumerate(run(driver, ptx, plan, arguments, guard=4096)):
            print(f"{plan['function']} result {index}: {result.shape}, first {result.flat[0]}")


if __name__ == "__main__":
    main()
