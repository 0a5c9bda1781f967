# Thin wrappers over AddMLIR. They exist for two reasons: every library of
# ours links the *shared* MLIR (naming MLIRxxx in LINK_LIBS would pull in a
# second, static copy), and ours are installed by this project, not by MLIR.

include_guard(GLOBAL)

# add_top_library(NAME sources...
#   [DEPENDS targets...]      TableGen targets beyond TopIncGen
#   [LINK_LIBS Top...]        libraries of this project
#   [MLIR_LIBS MLIR...]       MLIR libraries; resolve to libMLIR.so)
function(add_top_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS;MLIR_LIBS" ${ARGN})
  add_mlir_library(${name} ${ARG_UNPARSED_ARGUMENTS}
    DISABLE_INSTALL
    DEPENDS TopIncGen ${ARG_DEPENDS}
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PUBLIC MLIRIR ${ARG_MLIR_LIBS})
  add_library(top::${name} ALIAS ${name})
endfunction()

# add_top_executable(NAME sources... [LINK_LIBS Top...] [MLIR_LIBS MLIR...])
# An executable in build/bin.
function(add_top_executable name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS;MLIR_LIBS" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS} DEPENDS TopIncGen)
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PRIVATE MLIRIR ${ARG_MLIR_LIBS})
endfunction()
