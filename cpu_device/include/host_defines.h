// SPDX-License-Identifier: MIT
// CUDA's header of this name.
#pragma once

#define __HOST_DEFINES_H__

#include "simt/qualifiers.h"
