# SPDX-License-Identifier: MIT
# Builds for arm64 on another processor: with the cross compiler g++-aarch64-linux-gnu, the libraries
# of an arm64 Debian or Ubuntu in the folder CONVKIT_ARM64_ROOT, and qemu-user for what the build runs.
# tests/install/arm64.sh makes such a folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

if(NOT DEFINED ENV{CONVKIT_ARM64_ROOT})
  message(FATAL_ERROR "CONVKIT_ARM64_ROOT is not set: it names the folder of an arm64 system, with the "
    "libraries that convkit is built with (tests/install/arm64.sh)")
endif()
set(CMAKE_SYSROOT $ENV{CONVKIT_ARM64_ROOT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
