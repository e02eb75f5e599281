# Install rules: the library, its headers under include/zeroplane only, the CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/zeroplane)

install(TARGETS zeroplane EXPORT zeroplane
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT zeroplane NAMESPACE zeroplane:: FILE zeroplane-targets.cmake DESTINATION ${package_dir})

# Users need the operations and what these include; in the tree their includes start at src/.
set(staged_headers ${CMAKE_CURRENT_BINARY_DIR}/installed_headers)
install(CODE "set(ZEROPLANE_SOURCE \"${PROJECT_SOURCE_DIR}\")\nset(ZEROPLANE_STAGE \"${staged_headers}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/stage_headers.cmake)
install(DIRECTORY ${staged_headers}/zeroplane DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/zeroplane-config.cmake.in zeroplane-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(zeroplane-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/zeroplane-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/zeroplane-config-version.cmake DESTINATION ${package_dir})

set(zeroplane_private_libraries "-lpthread")
if(zeroplane_has_cuda)
  get_filename_component(cudart_dir ${CUDA_cudart_static_LIBRARY} DIRECTORY)
  set(zeroplane_private_libraries "-L${cudart_dir} -lcudart_static -ldl -lrt -lpthread")
endif()
# Relative to the file itself, since the prefix may be chosen at install time.
file(RELATIVE_PATH zeroplane_prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/zeroplane.pc.in zeroplane.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/zeroplane.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
