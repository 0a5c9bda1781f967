# What `cmake --install` puts beside the libraries and tools: headers as they
# are written and as TableGen generated them, the .td files (for dialects that
# build on ours) and the package for find_package(Top).

include(CMakePackageConfigHelpers)

set(TOP_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/Top")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/top"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE)

get_property(TOP_EXPORTED_TARGETS GLOBAL PROPERTY TOP_EXPORTS)
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/TopConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/TopConfig.cmake"
  INSTALL_DESTINATION ${TOP_INSTALL_CMAKEDIR}
  NO_SET_AND_CHECK_MACRO)
# Below version 1 each minor version may break its users.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/TopConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/TopConfig.cmake"
  "${PROJECT_BINARY_DIR}/TopConfigVersion.cmake"
  DESTINATION ${TOP_INSTALL_CMAKEDIR})
install(EXPORT TopTargets NAMESPACE top:: DESTINATION ${TOP_INSTALL_CMAKEDIR})
