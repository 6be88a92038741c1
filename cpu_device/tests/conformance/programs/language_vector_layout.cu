// SPDX-License-Identifier: MIT
// Size and alignment of the vector types, on both sides.
#include "../check.h"

template <class T>
__global__ void layout_kernel(int* out) {
  struct Padded {
    char first;
    T value;
  };
  out[0] = sizeof(T);
  out[1] = alignof(T);
  out[2] = sizeof(Padded);
}

template <class T>
void layout(const char* name) {
  DeviceArray<int> out(3);
  layout_kernel<T><<<1, 1>>>(out.data());
  const std::vector<int> device = out.host();
  show(name, int(sizeof(T)), int(alignof(T)), device[2]);
  if (device[0] != sizeof(T) || device[1] != alignof(T)) std::printf("device and host differ\n");
}
#define LAYOUT(type) layout<type>(#type)

int main() {
  LAYOUT(char1), LAYOUT(char2), LAYOUT(char3), LAYOUT(char4);
  LAYOUT(uchar1), LAYOUT(uchar2), LAYOUT(uchar3), LAYOUT(uchar4);
  LAYOUT(short1), LAYOUT(short2), LAYOUT(short3), LAYOUT(short4);
  LAYOUT(ushort1), LAYOUT(ushort2), LAYOUT(ushort3), LAYOUT(ushort4);
  LAYOUT(int1), LAYOUT(int2), LAYOUT(int3), LAYOUT(int4);
  LAYOUT(uint1), LAYOUT(uint2), LAYOUT(uint3), LAYOUT(uint4);
  LAYOUT(long1), LAYOUT(long2), LAYOUT(long3), LAYOUT(ulong1), LAYOUT(ulong2), LAYOUT(ulong3);
  LAYOUT(longlong1), LAYOUT(longlong2), LAYOUT(longlong3);
  LAYOUT(ulonglong1), LAYOUT(ulonglong2), LAYOUT(ulonglong3);
  LAYOUT(float1), LAYOUT(float2), LAYOUT(float3), LAYOUT(float4);
  LAYOUT(double1), LAYOUT(double2), LAYOUT(double3), LAYOUT(dim3);
}
