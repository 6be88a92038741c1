// SPDX-License-Identifier: MIT
// CUDA's header of this name: the descriptor interface of cuDNN, on the CPU device by the kit's own
// library (cpu_device/dnn, linked with -lcudnn). Types, values and signatures are those of cuDNN
// 9; docs/cpu-device.md lists what is there.
#pragma once

#define CUDNN_H_

#include "cuda_runtime.h"
#include "library_types.h"
#include "simt/cudnn_batch_norm.h"
#include "simt/cudnn_convolution.h"
#include "simt/cudnn_dropout.h"
#include "simt/cudnn_layers.h"
#include "simt/cudnn_op_tensor.h"
#include "simt/cudnn_reduce.h"
#include "simt/cudnn_tensor.h"
#include "simt/cudnn_types.h"
#include "simt/cudnn_unsupported.h"
