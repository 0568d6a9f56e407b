# libleat as others find it: libraries, headers, pkg-config file, CMake package.
include(CMakePackageConfigHelpers)
set_target_properties(leat_shared PROPERTIES EXPORT_NAME leat)
set_target_properties(leat_lib PROPERTIES EXPORT_NAME leat_static)
install(TARGETS leat_shared leat_lib EXPORT leatTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/leat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

# The prefix is the file's own place, so that the tree may be installed anywhere.
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" up "${up}")
set(CMAKE_INSTALL_PREFIX_SAVED ${CMAKE_INSTALL_PREFIX})
set(CMAKE_INSTALL_PREFIX "\${pcfiledir}/${up}")
configure_file(${CMAKE_SOURCE_DIR}/cmake/leat.pc.in ${CMAKE_BINARY_DIR}/leat.pc @ONLY)
set(CMAKE_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX_SAVED})
install(FILES ${CMAKE_BINARY_DIR}/leat.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/leat)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/leatConfig.cmake.in
  ${CMAKE_BINARY_DIR}/leatConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/leatConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/leatConfig.cmake ${CMAKE_BINARY_DIR}/leatConfigVersion.cmake
  DESTINATION ${package})
install(EXPORT leatTargets NAMESPACE leat:: DESTINATION ${package})
