# Thin wrappers over AddMLIR. They exist for two reasons: every library of
# ours links the *shared* MLIR (naming MLIRxxx in LINK_LIBS would pull in a
# second, static copy), and ours are installed by this project, not by MLIR.

include_guard(GLOBAL)
include(GNUInstallDirs)

# _top_install(NAME): installs a library into the export set TopTargets, where
# other projects know it as top::NAME, and lists it for TopConfig.cmake.
function(_top_install name)
  target_include_directories(${name} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${name} EXPORT TopTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_property(GLOBAL APPEND PROPERTY TOP_EXPORTS ${name})
endfunction()

# _top_use_pch(TARGET [IR|Linalg|NVVM|NONE]): includes a header of cmake/pch, the
# first by default, precompiled. Sources state what they need nonetheless: they
# are compiled without it where TOP_USE_PCH is off.
function(_top_use_pch target pch)
  if(NOT pch)
    set(pch IR)
  endif()
  if(TOP_USE_PCH AND NOT pch STREQUAL "NONE")
    target_precompile_headers(${target} REUSE_FROM TopPCH${pch})
  endif()
endfunction()

# add_top_library(NAME sources...
#   [NO_INSTALL]              for tests only
#   [PCH name]                see _top_use_pch; NONE for what includes no MLIR
#                             or has compiler flags of its own
#   [DEPENDS targets...]      TableGen targets beyond TopIncGen
#   [LINK_LIBS Top...]        libraries of this project
#   [MLIR_LIBS MLIR...]       MLIR libraries; resolve to libMLIR.so)
function(add_top_library name)
  cmake_parse_arguments(ARG "NO_INSTALL" "PCH" "DEPENDS;LINK_LIBS;MLIR_LIBS" ${ARGN})
  add_mlir_library(${name} ${ARG_UNPARSED_ARGUMENTS}
    DISABLE_INSTALL
    DEPENDS TopIncGen ${ARG_DEPENDS}
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PUBLIC MLIRIR ${ARG_MLIR_LIBS})
  # Where there are two, the sources are in the object library.
  if(TARGET obj.${name})
    _top_use_pch(obj.${name} "${ARG_PCH}")
  else()
    _top_use_pch(${name} "${ARG_PCH}")
  endif()
  target_compile_features(${name} INTERFACE cxx_std_17)
  add_library(top::${name} ALIAS ${name})
  if(NOT ARG_NO_INSTALL)
    _top_install(${name})
  endif()
endfunction()

# add_top_shared_library(NAME sources...
#   [MODULE]                  to be loaded with dlopen, named NAME.so; a SHARED
#                             libNAME.so, exported as top::NAME, without it
#   [LINK_LIBS Top...]        static libraries of this project to put in
#   [WHOLE_ARCHIVES targets...]  static libraries of which every member goes in.
#                             Only the archive is linked, not what its target
#                             says it needs: for MLIR's C API that would be
#                             static MLIR libraries.
#   [MLIR_LIBS MLIR...]       MLIR libraries; resolve to libMLIR.so)
function(add_top_shared_library name)
  cmake_parse_arguments(ARG "MODULE" "" "LINK_LIBS;WHOLE_ARCHIVES;MLIR_LIBS" ${ARGN})
  set(type SHARED)
  if(ARG_MODULE)
    set(type MODULE)
  endif()
  add_library(${name} ${type} ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} TopIncGen)
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  foreach(archive ${ARG_WHOLE_ARCHIVES})
    target_link_libraries(${name} PRIVATE
      "-Wl,--whole-archive,$<TARGET_FILE:${archive}>,--no-whole-archive")
  endforeach()
  mlir_target_link_libraries(${name} PRIVATE MLIRIR ${ARG_MLIR_LIBS})
  if(NOT TOP_ENABLE_SANITIZERS)
    # What is missing is an error here, not when the library is loaded. (The
    # sanitizers' run-time library comes with the executable.)
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
  if(ARG_MODULE)
    set_target_properties(${name} PROPERTIES PREFIX "")
    install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  else()
    set_target_properties(${name} PROPERTIES
      VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    add_library(top::${name} ALIAS ${name})
    _top_install(${name})
  endif()
endfunction()

# add_top_executable(NAME sources... [PCH name] [LINK_LIBS Top...]
#   [MLIR_LIBS MLIR...])
# An executable in build/bin.
function(add_top_executable name)
  cmake_parse_arguments(ARG "" "PCH" "LINK_LIBS;MLIR_LIBS" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS} DEPENDS TopIncGen)
  llvm_update_compile_flags(${name})
  _top_use_pch(${name} "${ARG_PCH}")
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PRIVATE MLIRIR ${ARG_MLIR_LIBS})
endfunction()

# add_top_tool(NAME ...): an executable, as above, that is installed.
function(add_top_tool name)
  add_top_executable(${name} ${ARGN})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
