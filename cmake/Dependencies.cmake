# SPDX-License-Identifier: MIT
# Packages of the distribution. Header-only ones are required; each of the others is optional and
# `convkit doctor` names what is lost without it. CONVKIT_PREFIX is where the launcher unpacks
# packages on a machine where it may not install them.
if(CONVKIT_PREFIX)
  list(PREPEND CMAKE_PREFIX_PATH ${CONVKIT_PREFIX}/usr)
  list(PREPEND CMAKE_LIBRARY_PATH ${CONVKIT_PREFIX}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()

function(convkit_require_header target header package)
  find_path(${target}_INCLUDE ${header})
  if(NOT ${target}_INCLUDE)
    message(FATAL_ERROR "convkit needs <${header}> (Debian and Ubuntu package ${package}). "
      "Run ./convkit, which sets up everything, or: apt-get install ${package}")
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_INCLUDE})
endfunction()

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
convkit_require_header(convkit_cli11 CLI/CLI.hpp libcli11-dev)
if(EXISTS ${CMAKE_SOURCE_DIR}/grader/CMakeLists.txt)  # copies of the kit have no grader to build
  convkit_require_header(convkit_json nlohmann/json.hpp nlohmann-json3-dev)
  convkit_require_header(convkit_toml toml++/toml.h libtomlplusplus-dev)
  convkit_require_header(convkit_stb stb/stb_image.h libstb-dev)
endif()
convkit_require_header(convkit_fmt fmt/format.h libfmt-dev)
# Its static library, where the package has one, compiles in a third of the header-only time.
find_library(FMT_LIBRARY NAMES libfmt.a fmt)
if(FMT_LIBRARY AND (FMT_LIBRARY MATCHES "\\.a$" OR NOT CONVKIT_PACKAGE))
  target_link_libraries(convkit_fmt INTERFACE ${FMT_LIBRARY})
else()
  target_compile_definitions(convkit_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()

find_package(LibArchive)
find_path(SECCOMP_INCLUDE seccomp.h)
find_library(SECCOMP_LIBRARY seccomp)

add_library(convkit_archive INTERFACE)
if(LibArchive_FOUND)
  target_link_libraries(convkit_archive INTERFACE LibArchive::LibArchive)
  target_compile_definitions(convkit_archive INTERFACE CONVKIT_HAVE_LIBARCHIVE=1)
  if(CONVKIT_PACKAGE)
    convkit_link_what_libarchive_needs(convkit_archive)
    target_compile_definitions(convkit_archive INTERFACE CONVKIT_STATIC_LIBARCHIVE=1)
  endif()
else()
  message(STATUS "libarchive not found: only folders can be graded, archives cannot "
    "(package libarchive-dev)")
endif()

add_library(convkit_seccomp INTERFACE)
if(SECCOMP_INCLUDE AND SECCOMP_LIBRARY)
  target_include_directories(convkit_seccomp SYSTEM INTERFACE ${SECCOMP_INCLUDE})
  target_link_libraries(convkit_seccomp INTERFACE ${SECCOMP_LIBRARY})
  target_compile_definitions(convkit_seccomp INTERFACE CONVKIT_HAVE_SECCOMP=1)
else()
  message(STATUS "libseccomp not found: submissions run without a system-call filter "
    "(package libseccomp-dev)")
endif()

# The CPU device's cuBLAS opens it when a program starts; nothing is linked with it.
option(CONVKIT_OPENBLAS "Use OpenBLAS in the CPU device's cuBLAS where it is installed" ON)
add_library(convkit_openblas INTERFACE)
if(CONVKIT_OPENBLAS)
  find_library(OPENBLAS_LIBRARY NAMES libopenblas.so.0 openblas
    PATH_SUFFIXES openblas-pthread openblas-serial openblas)
endif()
if(CONVKIT_OPENBLAS AND CONVKIT_PACKAGE)
  set(OPENBLAS_LIBRARY libopenblas.so.0)  # wherever the machine has it
endif()
if(CONVKIT_OPENBLAS AND OPENBLAS_LIBRARY)
  # As the machine that runs the program names it.
  string(REGEX REPLACE "^${CMAKE_SYSROOT}/" "/" library "${OPENBLAS_LIBRARY}")
  target_compile_definitions(convkit_openblas INTERFACE CONVKIT_OPENBLAS_LIBRARY="${library}")
else()
  message(STATUS "OpenBLAS not found: the CPU device's cuBLAS multiplies with the kit's own loops, "
    "several times slower (package libopenblas0)")
endif()

# When a program starts, the CPU device's cuDNN opens a separate module that is linked with oneDNN.
option(CONVKIT_ONEDNN "Use oneDNN in the CPU device's cuDNN where it is installed" ON)
if(CONVKIT_ONEDNN)
  find_path(DNNL_INCLUDE oneapi/dnnl/dnnl.hpp)
  find_library(DNNL_LIBRARY dnnl)
endif()
if(CONVKIT_ONEDNN AND DNNL_INCLUDE AND DNNL_LIBRARY)
  add_library(convkit_dnnl INTERFACE)
  target_include_directories(convkit_dnnl SYSTEM INTERFACE ${DNNL_INCLUDE})
  target_link_libraries(convkit_dnnl INTERFACE ${DNNL_LIBRARY})
else()
  message(STATUS "oneDNN not found: the CPU device's cuDNN convolves with the kit's own loops, "
    "several times slower (package libdnnl-dev)")
endif()

# Only to build the runners that work on a real GPU; everything else needs no CUDA.
option(CONVKIT_CUDA "Use the CUDA toolkit where there is one" ON)
if(CONVKIT_CUDA)
  find_package(CUDAToolkit 12 QUIET)
endif()
# FindCUDAToolkit does not know cuDNN, which is a separate package.
if(CUDAToolkit_FOUND AND NOT TARGET CUDA::cudnn)
  find_path(CUDNN_INCLUDE cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(CUDNN_LIBRARY cudnn HINTS ${CUDAToolkit_LIBRARY_DIR})
  if(CUDNN_INCLUDE AND CUDNN_LIBRARY)
    add_library(CUDA::cudnn UNKNOWN IMPORTED)
    set_target_properties(CUDA::cudnn PROPERTIES
      IMPORTED_LOCATION ${CUDNN_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${CUDNN_INCLUDE})
  endif()
endif()
if(CUDAToolkit_FOUND)
  message(STATUS "CUDA ${CUDAToolkit_VERSION}: GPU stages can run on a real GPU, too")
else()
  message(STATUS "No CUDA toolkit: GPU stages run on the kit's CPU device")
endif()
