# SPDX-License-Identifier: MIT
# Read by CPack for each kind of package: which component it is made of, and where that goes.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(component debian)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  set(component archive)
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
endif()
list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 build)
set(CPACK_INSTALL_CMAKE_PROJECTS "${build};convkit;${component};/")
