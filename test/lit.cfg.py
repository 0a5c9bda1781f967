# Configuration of the lit suite. Tools of this build come before those of
# LLVM's.

import ctypes
import os

import lit.formats
import lit.util

config.name = "TOP"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".c"]
config.excludes = ["lib", "unittests", "cases", "Inputs", "Package", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.top_obj_root, "test")

path = [config.top_tools_dir, config.mlir_tools_dir, config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(path + [config.environment.get("PATH", "")])
# Variables of one test function must not leak into the next.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"

config.substitutions.append(("%top_src", config.top_src_root))
config.substitutions.append(("%top_obj", config.top_obj_root))
config.substitutions.append(("%top_libs", config.top_libs_dir))
config.substitutions.append(("%top_tools", config.top_tools_dir))
config.substitutions.append(("%shlibext", config.llvm_shlib_ext))
config.substitutions.append(("%python", config.python))

# A tool of LLVM's cannot load a library built with the sanitizers.
if config.top_sanitizers == "ON":
    config.available_features.add("sanitizers")

# Networks as other tools print them; they are not part of the project.
real_inputs = os.environ.get("TOP_REAL_INPUTS") or config.top_real_inputs
config.substitutions.append(("%real_inputs", real_inputs))
if os.path.exists(os.path.join(real_inputs, "resnet18.mlir")):
    config.available_features.add("real-inputs")
# Tests of minutes: lit --param slow=1, or utils/check.sh --slow.
slow = lit_config.params.get("slow", os.environ.get("TOP_SLOW_TESTS", "0")) != "0"
if slow:
    config.available_features.add("slow")

def has_cuda_device():
    """Whether there is a driver with a device, as top-run --target=gpu asks."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


if has_cuda_device():
    config.available_features.add("cuda-device")

# NVIDIA's assembler, where a CUDA toolkit is installed: looked for as
# findPtxas does.
ptxas_dirs = os.environ["PATH"].split(os.pathsep)
ptxas_dirs += [os.path.join(d, "bin") for d in (os.environ.get("CUDA_HOME"), "/usr/local/cuda") if d]
if any(os.access(os.path.join(d, "ptxas"), os.X_OK) for d in ptxas_dirs):
    config.available_features.add("ptxas")
if "CUDA_HOME" in os.environ:
    config.environment["CUDA_HOME"] = os.environ["CUDA_HOME"]

# A hanging test is a failing test. lit needs psutil to stop one by itself;
# without it ctest's limit on the whole suite holds.
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = 3600 if slow else 300
