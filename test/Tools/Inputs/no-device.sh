#!/bin/sh
# top-run on a machine without a GPU.
echo "top-run: error: no CUDA driver: libcuda.so.1: cannot open shared object file" >&2
exit 3
