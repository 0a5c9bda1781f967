// RUN: top-opt %s --top-nvvm-to-sim --split-input-file --verify-diagnostics

gpu.module @kernels {
  llvm.func @assembly() {
    // expected-error @below {{cannot be simulated: expected 'top.instruction' to say what the assembly is}}
    llvm.inline_asm has_side_effects "membar.gl;", "" : () -> ()
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @external(%n: i64) {
    // expected-error @below {{cannot be simulated: it calls 'malloc', which has no body here}}
    %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @indirect(%f: !llvm.ptr) {
    // expected-error @below {{cannot be simulated: expected the callee by its name}}
    llvm.call %f() : !llvm.ptr, () -> ()
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @intrinsic(%x: f32) {
    // expected-error @below {{cannot be simulated: it calls the intrinsic 'llvm.nvvm.ex2.approx.f', which is no op}}
    %y = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f"(%x) : (f32) -> f32
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{cannot be simulated: expected variables in shared memory (address space 3), got 4}}
  llvm.mlir.global internal constant @constants(dense<1.0> : tensor<4xf32>) {addr_space = 4 : i32} : !llvm.array<4 x f32>
}

// -----

gpu.module @kernels {
  llvm.func @copy(%to: !llvm.ptr, %from: !llvm.ptr, %n: i64) {
    // expected-error @below {{cannot be simulated: its accesses to memory cannot be checked}}
    "llvm.intr.memcpy"(%to, %from, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @flag(%p: !llvm.ptr<1>) {
    // expected-error @below {{cannot be simulated: atomic loads are not supported}}
    %x = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @flag(%p: !llvm.ptr<1>, %x: i32) {
    // expected-error @below {{cannot be simulated: atomic stores are not supported}}
    llvm.store %x, %p atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @fence() {
    // expected-error @below {{cannot be simulated: its accesses to memory cannot be checked}}
    llvm.fence seq_cst
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @not_lowered(%x: i32) {
    // expected-error @below {{cannot be simulated: expected ops of the dialects llvm and nvvm only}}
    %y = arith.addi %x, %x : i32
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{cannot be simulated: expected llvm.func and llvm.mlir.global in a gpu.module}}
  gpu.func @not_lowered() kernel {
    gpu.return
  }
}

// -----

// expected-error @below {{expected nothing but gpu.modules in a module whose kernels are simulated}}
func.func @host() {
  return
}

// -----

gpu.module @a {
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}
gpu.module @b {
  // expected-error @below {{cannot be simulated: there is another 'kernel' in the module}}
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @a {
  llvm.mlir.global external @memory() {addr_space = 3 : i32} : !llvm.array<0 x i8>
}
gpu.module @b {
  // expected-error @below {{cannot be simulated: there are two shared variables of this name}}
  llvm.mlir.global external @memory() {addr_space = 3 : i32} : !llvm.array<0 x i8>
}
