// SPDX-License-Identifier: MIT
// CUDA's header of this name: groups of threads that synchronise and exchange values.
#pragma once

#include "cuda_runtime.h"
#include "simt/group_block.h"
#include "simt/group_coalesced.h"
#include "simt/group_tile.h"
