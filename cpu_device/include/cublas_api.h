// SPDX-License-Identifier: MIT
// CUDA's header of this name. Types, values and signatures are those of CUDA 13.0;
// docs/cpu-device.md lists what is there.
#pragma once

#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"
#include "simt/cublas_copies.h"
#include "simt/cublas_matrix.h"
#include "simt/cublas_old_compute_types.h"
#include "simt/cublas_product.h"
#include "simt/cublas_types.h"
#include "simt/cublas_unsupported.h"
#include "simt/cublas_vector.h"
