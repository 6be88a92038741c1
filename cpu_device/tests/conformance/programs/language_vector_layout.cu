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

/* Prints:
char1: 1 1 2
char2: 2 2 4
char3: 3 1 4
char4: 4 4 8
uchar1: 1 1 2
uchar2: 2 2 4
uchar3: 3 1 4
uchar4: 4 4 8
short1: 2 2 4
short2: 4 4 8
short3: 6 2 8
short4: 8 8 16
ushort1: 2 2 4
ushort2: 4 4 8
ushort3: 6 2 8
ushort4: 8 8 16
int1: 4 4 8
int2: 8 8 16
int3: 12 4 16
int4: 16 16 32
uint1: 4 4 8
uint2: 8 8 16
uint3: 12 4 16
uint4: 16 16 32
long1: 8 8 16
long2: 16 16 32
long3: 24 8 32
ulong1: 8 8 16
ulong2: 16 16 32
ulong3: 24 8 32
longlong1: 8 8 16
longlong2: 16 16 32
longlong3: 24 8 32
ulonglong1: 8 8 16
ulonglong2: 16 16 32
ulonglong3: 24 8 32
float1: 4 4 8
float2: 8 8 16
float3: 12 4 16
float4: 16 16 32
double1: 8 8 16
double2: 16 16 32
double3: 24 8 32
dim3: 12 4 16
*/
