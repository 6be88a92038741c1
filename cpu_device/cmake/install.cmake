# SPDX-License-Identifier: MIT
# The CPU device as a product of its own (README.md, "Use it from another CMake project"):
#   cmake --build build/default --target convkit_cpu_device
#   cmake --install build/default --component cpu_device --prefix FOLDER
# The folder may be moved: the libraries, the package and convkit-cc find each other from their own
# places.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(headers ${CMAKE_INSTALL_INCLUDEDIR}/convkit_cpu_device)  # check/source_lines.cpp knows this name
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/convkit_cpu_device)
file(RELATIVE_PATH headers_from_program /${CMAKE_INSTALL_BINDIR} /${headers})
file(RELATIVE_PATH libraries_from_program /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})

# Not in bin/, where the kit's own programs are: it works only where it is installed.
add_executable(convkit_cpu_device_cc cc/main.cpp)
set_target_properties(convkit_cpu_device_cc PROPERTIES
  OUTPUT_NAME convkit-cc RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_compile_definitions(convkit_cpu_device_cc PRIVATE
  CONVKIT_VERSION="${PROJECT_VERSION}"
  CONVKIT_HEADERS_FROM_PROGRAM="${headers_from_program}"
  CONVKIT_LIBRARIES_FROM_PROGRAM="${libraries_from_program}")
target_link_libraries(convkit_cpu_device_cc PRIVATE convkit_cc convkit_process convkit_warnings)
target_link_options(convkit_cpu_device_cc PRIVATE LINKER:--as-needed)  # it needs no libseccomp

# What other projects call them: convkit::cpu_device and so on.
set(libraries convkit_simt convkit_simt_check convkit_simt_cublas convkit_simt_cudnn
  convkit_simt_curand)
set_target_properties(convkit_simt PROPERTIES EXPORT_NAME cpu_device)
set_target_properties(convkit_simt_check PROPERTIES EXPORT_NAME check)
set_target_properties(convkit_simt_cublas PROPERTIES EXPORT_NAME cublas)
set_target_properties(convkit_simt_cudnn PROPERTIES EXPORT_NAME cudnn)
set_target_properties(convkit_simt_curand PROPERTIES EXPORT_NAME curand)
set_target_properties(convkit_cpu_device_cc PROPERTIES EXPORT_NAME cc)
target_include_directories(convkit_simt_headers INTERFACE $<INSTALL_INTERFACE:${headers}>)
target_compile_features(convkit_simt_headers INTERFACE cxx_std_17)
file(STRINGS check/wrapped.def wrapped REGEX "^CONVKIT_WRAPPED")
string(REGEX REPLACE "CONVKIT_WRAPPED\\(([A-Za-z0-9_]+)\\)" "LINKER:--wrap=\\1" wrapped "${wrapped}")
target_link_options(convkit_simt_check INTERFACE "$<INSTALL_INTERFACE:${wrapped}>")

set(installed COMPONENT cpu_device EXCLUDE_FROM_ALL)  # the package of the whole kit has its own rules
install(TARGETS ${libraries} convkit_simt_headers convkit_cpu_device_cc
  EXPORT convkit_cpu_device_targets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${installed}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${installed})
if(TARGET convkit_simt_onednn)  # a module that the cuDNN library opens
  install(TARGETS convkit_simt_onednn LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${installed})
  list(APPEND libraries convkit_simt_onednn)
endif()
# The same when built: CMake would pad another path with colons, and an empty one is the current folder.
set_target_properties(${libraries} PROPERTIES INSTALL_RPATH "$ORIGIN"
  BUILD_WITH_INSTALL_RPATH ON)
add_custom_target(convkit_cpu_device DEPENDS ${libraries} convkit_cpu_device_cc)

install(DIRECTORY include/ DESTINATION ${headers} ${installed})
install(FILES README.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/convkit_cpu_device ${installed})
install(EXPORT convkit_cpu_device_targets NAMESPACE convkit:: DESTINATION ${package} ${installed})
configure_package_config_file(cmake/config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/convkit_cpu_device-config.cmake INSTALL_DESTINATION ${package}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/convkit_cpu_device-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/convkit_cpu_device-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/convkit_cpu_device-config-version.cmake
  cmake/convkit_cuda_sources.cmake
  DESTINATION ${package} ${installed})
