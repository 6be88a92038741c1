// SPDX-License-Identifier: MIT
// Parts of CUDA that the CPU device does not have. Each of them is an error at the student's line,
// which says what to use instead. (The rewriter refuses most of them before; this
// serves what it does not read, such as headers in <>.)
#pragma once

#include "simt/attributes.h"

#define CONVKIT_SIMT_NO_FUNCTION(name, message) \
  template <class... Arguments>                 \
  CONVKIT_SIMT_UNAVAILABLE(message)             \
  int name(Arguments...);

// parts of textures
#define CONVKIT_SIMT_NO_FETCH(name, message)         \
  template <class Value = float, class... Arguments> \
  CONVKIT_SIMT_UNAVAILABLE(message)                  \
  Value name(Arguments...);
#define CONVKIT_SIMT_NO_MIPMAPS                                                                 \
  "mipmapped arrays are not supported on the CPU device; make an array and a texture for each " \
  "level"
#define CONVKIT_SIMT_NO_CUBEMAPS                                                                   \
  "cubemaps are not supported on the CPU device; make a layered array of 6 faces, and choose the " \
  "face"
CONVKIT_SIMT_NO_FETCH(tex1DLod, CONVKIT_SIMT_NO_MIPMAPS)
CONVKIT_SIMT_NO_FETCH(tex2DLod, CONVKIT_SIMT_NO_MIPMAPS)
CONVKIT_SIMT_NO_FETCH(tex3DLod, CONVKIT_SIMT_NO_MIPMAPS)
CONVKIT_SIMT_NO_FETCH(tex2DGrad, CONVKIT_SIMT_NO_MIPMAPS)
CONVKIT_SIMT_NO_FETCH(texCubemap, CONVKIT_SIMT_NO_CUBEMAPS)
CONVKIT_SIMT_NO_FUNCTION(cudaMallocMipmappedArray, CONVKIT_SIMT_NO_MIPMAPS)
typedef void* cudaMipmappedArray_t CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_MIPMAPS);

#define CONVKIT_SIMT_NO_REFERENCES                                          \
  "CUDA 12 dropped texture and surface references; make a texture object, " \
  "cudaCreateTextureObject()"
CONVKIT_SIMT_NO_FUNCTION(cudaBindTexture, CONVKIT_SIMT_NO_REFERENCES)
CONVKIT_SIMT_NO_FUNCTION(cudaBindTexture2D, CONVKIT_SIMT_NO_REFERENCES)
CONVKIT_SIMT_NO_FUNCTION(cudaBindTextureToArray, CONVKIT_SIMT_NO_REFERENCES)
CONVKIT_SIMT_NO_FUNCTION(cudaBindSurfaceToArray, CONVKIT_SIMT_NO_REFERENCES)
CONVKIT_SIMT_NO_FUNCTION(cudaUnbindTexture, CONVKIT_SIMT_NO_REFERENCES)

// graphs
#define CONVKIT_SIMT_NO_GRAPHS \
  "CUDA graphs are not supported on the CPU device; launch the kernels on a stream one by one"
typedef void* cudaGraph_t CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_GRAPHS);
typedef void* cudaGraphExec_t CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_GRAPHS);
typedef void* cudaGraphNode_t CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_GRAPHS);
CONVKIT_SIMT_NO_FUNCTION(cudaGraphCreate, CONVKIT_SIMT_NO_GRAPHS)
CONVKIT_SIMT_NO_FUNCTION(cudaGraphDestroy, CONVKIT_SIMT_NO_GRAPHS)
CONVKIT_SIMT_NO_FUNCTION(cudaGraphInstantiate, CONVKIT_SIMT_NO_GRAPHS)
CONVKIT_SIMT_NO_FUNCTION(cudaGraphLaunch, CONVKIT_SIMT_NO_GRAPHS)
CONVKIT_SIMT_NO_FUNCTION(cudaStreamBeginCapture, CONVKIT_SIMT_NO_GRAPHS)
CONVKIT_SIMT_NO_FUNCTION(cudaStreamEndCapture, CONVKIT_SIMT_NO_GRAPHS)

// launches of other kinds
CONVKIT_SIMT_NO_FUNCTION(cudaLaunchCooperativeKernelMultiDevice,
                         "CUDA 13 dropped cudaLaunchCooperativeKernelMultiDevice(); launch on each "
                         "device with cudaLaunchCooperativeKernel()")
