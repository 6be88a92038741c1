// SPDX-License-Identifier: MIT
// Several devices: which there are, which may reach which, and copies between them.
#include <cstdio>
#include <cstring>
#include <set>
#include <utility>

#include "cpu_device/engine/call.h"
#include "cpu_device/engine/device.h"
#include "cpu_device/engine/memory.h"
#include "cpu_device/engine/refusal.h"
#include "cpu_device/engine/settings.h"
#include "simt/runtime_api.h"

namespace convkit::simt {
namespace {

thread_local int g_device = 0;

}  // namespace

int device_count() {
  return static_cast<int>(settings().devices);
}
bool is_device(int device) {
  return device >= 0 && device < device_count();
}
int current_device() {
  return g_device;
}
void set_current_device(int device) {
  g_device = device;
}

std::string no_device_text(const char* argument, int device) {
  if (device_count() == 1) {
    return said(argument, " is ", device, "; there is one device, number 0");
  }
  return said(argument, " is ", device, "; there are ", device_count(), " devices, numbers 0 to ",
              device_count() - 1);
}

}  // namespace convkit::simt

using namespace convkit::simt;

namespace {

// Who may reach whose memory: (device, peer), guarded by the queue's mutex.
std::set<std::pair<int, int>>& peers() {
  static std::set<std::pair<int, int>> all;
  return all;
}

cudaError_t refuse_device(const char* call, const char* argument, int device) {
  return refuse(call, cudaErrorInvalidDevice, no_device_text(argument, device));
}

cudaError_t refuse_null(const char* call, const char* argument) {
  return refuse(call, cudaErrorInvalidValue, said(argument, " is null"));
}

// The devices of a copy, the one that is wrong named as CUDA names it.
cudaError_t peer_error(const char* call, int to_device, int from_device) {
  if (!is_device(to_device)) return refuse_device(call, "dstDevice", to_device);
  if (!is_device(from_device)) return refuse_device(call, "srcDevice", from_device);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return call([=] {
    if (!device) return refuse_null("cudaChooseDevice", "device");
    if (!properties) return refuse_null("cudaChooseDevice", "prop");
    *device = 0;  // they are all alike
    return cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call([=] {
    for (int i = 0; devices && i < count; ++i) {
      if (!is_device(devices[i])) return refuse_device("cudaSetValidDevices", "device", devices[i]);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return call([=] {
    constexpr const char* kCall = "cudaDeviceGetPCIBusId";
    if (!id) return refuse_null(kCall, "pciBusId");
    if (!is_device(device)) return refuse_device(kCall, "device", device);
    if (length < 13) {
      return refuse(kCall, cudaErrorInvalidValue,
                    said("len is ", length, "; it must be at least 13"));
    }
    std::snprintf(id, static_cast<size_t>(length), "0000:%02X:00.0", device + 1);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return call([=] {
    constexpr const char* kCall = "cudaDeviceGetByPCIBusId";
    if (!device) return refuse_null(kCall, "device");
    if (!id) return refuse_null(kCall, "pciBusId");
    unsigned domain = 0, bus = 0;
    const bool read = std::sscanf(id, "%x:%x:", &domain, &bus) == 2;
    const int found = read && domain == 0 ? static_cast<int>(bus) - 1 : -1;
    if (!is_device(found)) {
      return refuse(kCall, cudaErrorInvalidDevice, said("there is no device at ", id));
    }
    *device = found;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call([=] {
    if (!config) return refuse_null("cudaDeviceGetCacheConfig", "pCacheConfig");
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return call([=] {
    constexpr const char* kCall = "cudaDeviceEnablePeerAccess";
    if (!is_device(peer)) {
      return refuse(kCall, cudaErrorInvalidDevice, no_device_text("peerDevice", peer));
    }
    if (peer == current_device()) {
      return refuse(kCall, cudaErrorPeerAccessUnsupported,
                    said("peerDevice is ", peer, ", the current device"));
    }
    if (flags != 0) {
      return refuse(kCall, cudaErrorInvalidValue, said("flags is ", flags, "; it must be 0"));
    }
    if (!peers().insert({current_device(), peer}).second) {
      return refuse(kCall, cudaErrorPeerAccessAlreadyEnabled,
                    said("device ", current_device(), " may reach device ", peer, " already"));
    }
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call([=] {
    constexpr const char* kCall = "cudaDeviceDisablePeerAccess";
    if (!is_device(peer)) return refuse_device(kCall, "peerDevice", peer);
    if (peers().erase({current_device(), peer}) == 0) {
      return refuse(kCall, cudaErrorPeerAccessNotEnabled,
                    said("device ", current_device(), " may not reach device ", peer, " anyway"));
    }
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  return call([=] {
    constexpr const char* kCall = "cudaDeviceGetP2PAttribute";
    if (!value) return refuse_null(kCall, "value");
    if (!is_device(device) || device == peer) {
      return refuse(kCall, cudaErrorInvalidDevice,
                    is_device(device) ? said("srcDevice and dstDevice are both ", peer)
                                      : no_device_text("srcDevice", device));
    }
    if (!is_device(peer)) return refuse_device(kCall, "dstDevice", peer);
    if (attribute < cudaDevP2PAttrPerformanceRank ||
        attribute > cudaDevP2PAttrCudaArrayAccessSupported) {
      return refuse(
          kCall, cudaErrorInvalidValue,
          said("attr is ", static_cast<int>(attribute), "; it must be a cudaDeviceP2PAttr"));
    }
    *value = attribute == cudaDevP2PAttrAccessSupported ||
             attribute == cudaDevP2PAttrNativeAtomicSupported;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  const cudaError_t error =
      call([=] { return peer_error("cudaMemcpyPeer", to_device, from_device); });
  return error == cudaSuccess ? cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice) : error;
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  const cudaError_t error =
      call([=] { return peer_error("cudaMemcpyPeerAsync", to_device, from_device); });
  return error == cudaSuccess ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream)
                              : error;
}
}
