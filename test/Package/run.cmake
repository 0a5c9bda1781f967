# Installs the build into a folder, moves that elsewhere, builds the project in
# this folder against it and runs what comes out. Run by ctest with
#   TOP_BUILD  the build folder of top
#   WORK       a scratch folder
#   LLVM_BIN   the tools of LLVM
#   LLVM_INCLUDE  the headers of LLVM and MLIR
#   CXX_COMPILER, C_COMPILER
#   FLAGS      compiler flags that every user of the libraries needs
#   CONFIGURE  further arguments for configuring the project

cmake_minimum_required(VERSION 3.25)

function(run)
  cmake_parse_arguments(ARG "" "STATUS;OUTPUT;MATCH" "COMMAND" ${ARGN})
  if(NOT DEFINED ARG_STATUS)
    set(ARG_STATUS 0)
  endif()
  execute_process(COMMAND ${ARG_COMMAND}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  list(JOIN ARG_COMMAND " " command)
  if(NOT status STREQUAL ARG_STATUS)
    message(FATAL_ERROR "exit status ${status} of: ${command}\n${output}")
  endif()
  if(ARG_MATCH AND NOT output MATCHES "${ARG_MATCH}")
    message(FATAL_ERROR "no '${ARG_MATCH}' in the output of: ${command}\n${output}")
  endif()
  if(ARG_OUTPUT)
    set(${ARG_OUTPUT} "${output}" PARENT_SCOPE)
  endif()
endfunction()

set(here "${CMAKE_CURRENT_LIST_DIR}")
set(prefix "${WORK}/moved")
file(REMOVE_RECURSE "${WORK}")

run(COMMAND ${CMAKE_COMMAND} --install "${TOP_BUILD}" --prefix "${WORK}/installed")
file(RENAME "${WORK}/installed" "${prefix}")

# Another minor version is not what a user asked for.
find_package(Top 0.2 QUIET CONFIG PATHS "${prefix}" NO_DEFAULT_PATH)
if(Top_FOUND)
  message(FATAL_ERROR "Top ${Top_VERSION} passes as 0.2")
endif()
if(NOT Top_CONSIDERED_VERSIONS STREQUAL "0.1.0")
  message(FATAL_ERROR "expected to find version 0.1.0, found '${Top_CONSIDERED_VERSIONS}'")
endif()

run(COMMAND ${CMAKE_COMMAND} -S "${here}" -B "${WORK}/build" ${CONFIGURE}
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_C_FLAGS=${FLAGS}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(COMMAND ${CMAKE_COMMAND} --build "${WORK}/build")

# The pad is gone into the convolution, and its border is where it belongs.
set(upper "pads = array<i64: 1, 1, 0, 1>[^\n]*tensor<1x3x9x16xf32>[^\n]*-> tensor<1x8x8x16xf32>")
set(lower "pads = array<i64: 0, 1, 1, 1>[^\n]*tensor<1x3x9x16xf32>[^\n]*-> tensor<1x8x8x16xf32>")
foreach(program tile-file tile-file-c)
  run(COMMAND "${WORK}/build/${program}" "${here}/network.mlir" 8
    MATCH "${upper}.*${lower}.*${upper}.*${lower}" OUTPUT output)
  if(output MATCHES "tensor.pad")
    message(FATAL_ERROR "${program} left a tensor.pad:\n${output}")
  endif()
  run(COMMAND "${WORK}/build/${program}" "${here}/network.mlir" -1
    STATUS 1 MATCH "expected 'height' to be at least 0, got -1")

  # One MLIR: the shared library.
  run(COMMAND "${LLVM_BIN}/llvm-nm" --defined-only --demangle "${WORK}/build/${program}" OUTPUT symbols)
  if(symbols MATCHES " mlir::MLIRContext::MLIRContext\\(")
    message(FATAL_ERROR "${program} has a static copy of MLIR")
  endif()
endforeach()

# Installed tools run from where they are.
run(COMMAND "${prefix}/bin/top-opt" "${here}/network.mlir" "--top-tiling-pipeline=batch=1 height=8 form=unroll"
  MATCH "${upper}.*${lower}")
if(NOT FLAGS)
  run(COMMAND "${LLVM_BIN}/mlir-opt" "${here}/network.mlir"
    "--load-dialect-plugin=${prefix}/lib/TopPlugin.so" "--load-pass-plugin=${prefix}/lib/TopPlugin.so"
    "--pass-pipeline=builtin.module(top-tiling-pipeline{batch=1 height=8 form=unroll})"
    MATCH "${upper}.*${lower}")
endif()

# Every header stands with what was installed, the C headers as C99.
foreach(language CXX C)
  if(language STREQUAL "CXX")
    set(folder top)
    set(source "${WORK}/headers.cpp")
    set(dialect -std=c++17)
  else()
    set(folder top-c)
    set(source "${WORK}/headers.c")
    set(dialect -std=c99 -pedantic-errors)
  endif()
  file(GLOB_RECURSE headers RELATIVE "${prefix}/include" "${prefix}/include/${folder}/*.h")
  list(LENGTH headers count)
  if(count EQUAL 0)
    message(FATAL_ERROR "no headers in ${prefix}/include/${folder}")
  endif()
  list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"\n")
  list(JOIN headers "" text)
  file(WRITE "${source}" "${text}")
  set(includes "${LLVM_INCLUDE}")
  list(TRANSFORM includes PREPEND -isystem)
  run(COMMAND ${${language}_COMPILER} ${dialect} -Wall -Werror -fsyntax-only "-I${prefix}/include" ${includes} "${source}")
  message("${count} headers of ${folder} compile")
endforeach()

file(REMOVE_RECURSE "${WORK}") # some 400 MB
message("both programs, the tools and the plugin run from where they were installed")
