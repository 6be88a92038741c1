// SPDX-License-Identifier: MIT
// Parts of CUDA that the CPU device does not have. Each of them is an error at the student's line,
// which says what to use instead. (The rewriter refuses most of them before, and inline PTX; this
// serves what it does not read, such as headers in <>.)
#pragma once

#include "simt/attributes.h"

#define CONVKIT_SIMT_NO_FUNCTION(name, message) \
  template <class... Arguments>                 \
  CONVKIT_SIMT_UNAVAILABLE(message)             \
  int name(Arguments...);

// textures and surfaces
#define CONVKIT_SIMT_NO_TEXTURES                                                                   \
  "textures are not supported on the CPU device; read global memory through a const __restrict__ " \
  "pointer or __ldg()"
#define CONVKIT_SIMT_NO_SURFACES \
  "surfaces are not supported on the CPU device; write to global memory through a pointer"
// The call names the value's type, as in tex2D<float>(...), or the type is deduced.
#define CONVKIT_SIMT_NO_FETCH(name, message)         \
  template <class Value = float, class... Arguments> \
  CONVKIT_SIMT_UNAVAILABLE(message)                  \
  Value name(Arguments...);

CONVKIT_SIMT_NO_FETCH(tex1D, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FETCH(tex1Dfetch, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FETCH(tex1DLayered, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FETCH(tex2D, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FETCH(tex2DLayered, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FETCH(tex3D, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FETCH(surf1Dread, CONVKIT_SIMT_NO_SURFACES)
CONVKIT_SIMT_NO_FETCH(surf2Dread, CONVKIT_SIMT_NO_SURFACES)
CONVKIT_SIMT_NO_FETCH(surf3Dread, CONVKIT_SIMT_NO_SURFACES)
CONVKIT_SIMT_NO_FUNCTION(surf1Dwrite, CONVKIT_SIMT_NO_SURFACES)
CONVKIT_SIMT_NO_FUNCTION(surf2Dwrite, CONVKIT_SIMT_NO_SURFACES)
CONVKIT_SIMT_NO_FUNCTION(surf3Dwrite, CONVKIT_SIMT_NO_SURFACES)
CONVKIT_SIMT_NO_FUNCTION(cudaCreateTextureObject, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FUNCTION(cudaDestroyTextureObject, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FUNCTION(cudaBindTexture, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FUNCTION(cudaBindTexture2D, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FUNCTION(cudaBindTextureToArray, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FUNCTION(cudaUnbindTexture, CONVKIT_SIMT_NO_TEXTURES)
CONVKIT_SIMT_NO_FUNCTION(cudaCreateSurfaceObject, CONVKIT_SIMT_NO_SURFACES)
CONVKIT_SIMT_NO_FUNCTION(cudaDestroySurfaceObject, CONVKIT_SIMT_NO_SURFACES)

#define CONVKIT_SIMT_NO_ARRAYS \
  "CUDA arrays are not supported on the CPU device; use cudaMalloc() or cudaMallocPitch()"
CONVKIT_SIMT_NO_FUNCTION(cudaMallocArray, CONVKIT_SIMT_NO_ARRAYS)
CONVKIT_SIMT_NO_FUNCTION(cudaMalloc3DArray, CONVKIT_SIMT_NO_ARRAYS)
CONVKIT_SIMT_NO_FUNCTION(cudaFreeArray, CONVKIT_SIMT_NO_ARRAYS)
CONVKIT_SIMT_NO_FUNCTION(cudaMemcpyToArray, CONVKIT_SIMT_NO_ARRAYS)
CONVKIT_SIMT_NO_FUNCTION(cudaMemcpy2DToArray, CONVKIT_SIMT_NO_ARRAYS)

typedef unsigned long long cudaTextureObject_t CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_TEXTURES);
typedef unsigned long long cudaSurfaceObject_t CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_SURFACES);
typedef void* cudaArray_t CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_ARRAYS);

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
CONVKIT_SIMT_NO_FUNCTION(cudaLaunchCooperativeKernel,
                         "cooperative launches are not supported on the CPU device; end the kernel "
                         "where the grid would wait, and launch a second one")
CONVKIT_SIMT_NO_FUNCTION(cudaLaunchKernelEx,
                         "cudaLaunchKernelEx() is not supported on the CPU device; write "
                         "kernel<<<grid, block, shared_bytes, stream>>>(...)")
