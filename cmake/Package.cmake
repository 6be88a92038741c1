# SPDX-License-Identifier: MIT
# Packages: what runs where nothing of the kit can be built. docs/install.md, "Packages", says how
# they are made. Included before anything is looked for or compiled.
option(CONVKIT_PACKAGE "Build programs that run on other machines, too" OFF)

if(CONVKIT_PACKAGE)
  # Libraries of the distribution go into the programs; those that have no static form, and the C
  # and C++ libraries, stay shared (an exception crosses from a submission to the runner).
  list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(Boost_USE_STATIC_LIBS ON)
  add_link_options(-s)
  # No program holds what it does not use of the libraries.
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections)
  # A message must not name a folder of this machine.
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=.)
  # A real GPU's programs depend on the CUDA toolkit of the machine: they are built there when they
  # are first used.
  set(CONVKIT_CUDA OFF CACHE BOOL "Use the CUDA toolkit where there is one" FORCE)
endif()

# Static libraries do not bring what they need themselves. These are the compressions of archives
# that a submission may be (grader/submission/archive_reader.cpp).
function(convkit_link_what_libarchive_needs target)
  foreach(library nettle lzma zstd bz2 z)
    find_library(CONVKIT_STATIC_${library} lib${library}.a)
    if(NOT CONVKIT_STATIC_${library})
      message(FATAL_ERROR "A package needs lib${library}.a, which libarchive.a uses: apt-get install "
        "nettle-dev liblzma-dev libzstd-dev libbz2-dev zlib1g-dev")
    endif()
    target_link_libraries(${target} INTERFACE ${CONVKIT_STATIC_${library}})
  endforeach()
endfunction()

# convkit_install_copy(READER COMPONENT DESTINATION): the copy of the kit that `convkit pack READER`
# makes, so that there is one list of what belongs to it.
function(convkit_install_copy reader component destination)
  install(CODE "
    set(work \"${CMAKE_BINARY_DIR}/copies/${reader}\")
    file(REMOVE_RECURSE \"\${work}\")
    file(MAKE_DIRECTORY \"\${work}\")
    execute_process(
      COMMAND \"${CMAKE_COMMAND}\" -E env \"CONVKIT_ROOT=${PROJECT_SOURCE_DIR}\"
        ${CMAKE_CROSSCOMPILING_EMULATOR} \"$<TARGET_FILE:convkit_cli>\" pack ${reader} --out \"\${work}/copy.tar.gz\"
      OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    file(ARCHIVE_EXTRACT INPUT \"\${work}/copy.tar.gz\" DESTINATION \"\${work}\")
    file(COPY \"\${work}/convkit/\"
      DESTINATION \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${destination}\" USE_SOURCE_PERMISSIONS)
  " COMPONENT ${component})
endfunction()

# What each package holds, each as a component of its own; after the last target.
function(convkit_add_packages)
  if(NOT CONVKIT_PACKAGE)
    return()
  endif()
  convkit_install_copy(instructors archive convkit)
  convkit_install_copy(instructors debian lib/convkit)
  install(PROGRAMS launcher/installed.sh DESTINATION bin RENAME convkit COMPONENT debian)
  install(FILES LICENSE DESTINATION share/doc/convkit RENAME copyright COMPONENT debian)
  convkit_install_copy(students wheel kit)

  set(CPACK_GENERATOR TGZ DEB)
  set(CPACK_PACKAGE_NAME convkit)
  set(CPACK_PACKAGE_VENDOR convkit)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "course kit for convolution on CPU and GPU, with its autograder")
  set(CPACK_PACKAGE_FILE_NAME convkit-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageKinds.cmake)
  set(CPACK_THREADS 0)
  # The archive's top folder is that of the copy.
  set(CPACK_INCLUDE_TOPLEVEL_DIRECTORY OFF)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  # Its programs have much in common, farther apart than gzip looks back.
  set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")  # by default it is what dpkg says of this machine
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  endif()
  set(CPACK_DEBIAN_PACKAGE_SECTION education)
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "the convkit authors <convkit@example.org>")
  # Submissions are compiled by what the machine has. tests/package checks the two versions.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libc6 (>= 2.35), libstdc++6 (>= 12), g++ (>= 4:11) | clang (>= 1:14)")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap, python3-numpy")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libdnnl-dev, libopenblas0, mold")
  include(CPack)
endfunction()
