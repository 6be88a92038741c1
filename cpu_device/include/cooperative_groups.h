// SPDX-License-Identifier: MIT
// CUDA's header of this name: groups of threads that synchronise and exchange values.
#pragma once

#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"
#include "simt/group_block.h"
#include "simt/group_coalesced.h"
#include "simt/group_tile.h"
