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

// parts of graphs
#define CONVKIT_SIMT_NO_MEMORY_NODES                                                            \
  "graphs cannot allocate memory on the CPU device; allocate it before the graph is made, and " \
  "free "                                                                                       \
  "it after its last launch"
#define CONVKIT_SIMT_NO_CONDITIONS                                                              \
  "conditional nodes of graphs are not supported on the CPU device; let the host decide which " \
  "graph to launch"
#define CONVKIT_SIMT_NO_SEMAPHORES \
  "semaphores of other APIs are not supported on the CPU device; use events"
CONVKIT_SIMT_NO_FUNCTION(cudaGraphAddMemAllocNode, CONVKIT_SIMT_NO_MEMORY_NODES)
CONVKIT_SIMT_NO_FUNCTION(cudaGraphAddMemFreeNode, CONVKIT_SIMT_NO_MEMORY_NODES)
CONVKIT_SIMT_NO_FUNCTION(cudaDeviceGraphMemTrim, CONVKIT_SIMT_NO_MEMORY_NODES)
CONVKIT_SIMT_NO_FUNCTION(cudaGraphConditionalHandleCreate, CONVKIT_SIMT_NO_CONDITIONS)
CONVKIT_SIMT_NO_FUNCTION(cudaGraphSetConditional, CONVKIT_SIMT_NO_CONDITIONS)
CONVKIT_SIMT_NO_FUNCTION(cudaGraphAddExternalSemaphoresSignalNode, CONVKIT_SIMT_NO_SEMAPHORES)
CONVKIT_SIMT_NO_FUNCTION(cudaGraphAddExternalSemaphoresWaitNode, CONVKIT_SIMT_NO_SEMAPHORES)

// launches of other kinds
CONVKIT_SIMT_NO_FUNCTION(cudaLaunchCooperativeKernelMultiDevice,
                         "CUDA 13 dropped cudaLaunchCooperativeKernelMultiDevice(); launch on each "
                         "device with cudaLaunchCooperativeKernel()")

// memory of other processes
#define CONVKIT_SIMT_NO_PROCESSES \
  "memory and events are not shared between processes on the CPU device; use one process"
typedef struct cudaIpcMemHandle_st {
  char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
  char reserved[64];
} cudaIpcEventHandle_t;
CONVKIT_SIMT_NO_FUNCTION(cudaIpcGetMemHandle, CONVKIT_SIMT_NO_PROCESSES)
CONVKIT_SIMT_NO_FUNCTION(cudaIpcOpenMemHandle, CONVKIT_SIMT_NO_PROCESSES)
CONVKIT_SIMT_NO_FUNCTION(cudaIpcCloseMemHandle, CONVKIT_SIMT_NO_PROCESSES)
CONVKIT_SIMT_NO_FUNCTION(cudaIpcGetEventHandle, CONVKIT_SIMT_NO_PROCESSES)
CONVKIT_SIMT_NO_FUNCTION(cudaIpcOpenEventHandle, CONVKIT_SIMT_NO_PROCESSES)
CONVKIT_SIMT_NO_FUNCTION(cudaMemPoolExportToShareableHandle, CONVKIT_SIMT_NO_PROCESSES)
CONVKIT_SIMT_NO_FUNCTION(cudaMemPoolImportFromShareableHandle, CONVKIT_SIMT_NO_PROCESSES)
CONVKIT_SIMT_NO_FUNCTION(cudaMemPoolExportPointer, CONVKIT_SIMT_NO_PROCESSES)
CONVKIT_SIMT_NO_FUNCTION(cudaMemPoolImportPointer, CONVKIT_SIMT_NO_PROCESSES)
