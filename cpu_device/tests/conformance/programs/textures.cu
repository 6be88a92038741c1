// SPDX-License-Identifier: MIT
// CUDA arrays, texture objects and surface objects. Weights of linear filtering are multiples of 1/4
// where numbers are printed, so that the 8 bits that a GPU keeps of them are enough.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "../check.h"
#include "../parts.h"

// An array of texels of type T, filled from the host.
template <class T>
class TexelArray {
 public:
  TexelArray(const std::vector<T>& texels, std::size_t width, std::size_t height = 0,
             std::size_t depth = 0, unsigned flags = cudaArrayDefault) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    extent_ = make_cudaExtent(width, height, depth);
    CHECK(cudaMalloc3DArray(&array_, &format, extent_, flags));
    copy(const_cast<T*>(texels.data()), true);
  }
  ~TexelArray() { cudaFreeArray(array_); }
  TexelArray(const TexelArray&) = delete;
  TexelArray& operator=(const TexelArray&) = delete;

  cudaArray_t get() const { return array_; }
  std::vector<T> host() const {
    std::vector<T> texels(extent_.width * rows() * slices());
    copy(texels.data(), false);
    return texels;
  }

 private:
  std::size_t rows() const { return extent_.height == 0 ? 1 : extent_.height; }
  std::size_t slices() const { return extent_.depth == 0 ? 1 : extent_.depth; }

  void copy(T* texels, bool to_array) const {
    const std::size_t pitch = extent_.width * sizeof(T);
    cudaMemcpy3DParms copy{};
    (to_array ? copy.srcPtr : copy.dstPtr) =
        make_cudaPitchedPtr(texels, pitch, extent_.width, rows());
    (to_array ? copy.dstArray : copy.srcArray) = array_;
    copy.extent = make_cudaExtent(extent_.width, rows(), slices());
    copy.kind = to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
  }

  cudaArray_t array_ = nullptr;
  cudaExtent extent_{};
};

inline cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

struct Modes {
  cudaTextureAddressMode address = cudaAddressModeClamp;
  cudaTextureFilterMode filter = cudaFilterModePoint;
  bool normalized = false;
  cudaTextureReadMode read = cudaReadModeElementType;
  float border = 0;
  bool only_x = false;  // y and z are clamped
};

inline cudaTextureDesc description_of(const Modes& modes) {
  cudaTextureDesc description{};
  for (auto& address : description.addressMode) {
    address = modes.only_x ? cudaAddressModeClamp : modes.address;
  }
  description.addressMode[0] = modes.address;
  for (float& color : description.borderColor) color = modes.border;
  description.filterMode = modes.filter;
  description.normalizedCoords = modes.normalized;
  description.readMode = modes.read;
  return description;
}

class Texture {
 public:
  Texture(const cudaResourceDesc& resource, const Modes& modes) {
    const cudaTextureDesc description = description_of(modes);
    CHECK(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
  }
  Texture(cudaArray_t array, const Modes& modes) : Texture(resource_of(array), modes) {}
  ~Texture() { cudaDestroyTextureObject(texture_); }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  operator cudaTextureObject_t() const { return texture_; }

 private:
  cudaTextureObject_t texture_ = 0;
};

class Surface {
 public:
  explicit Surface(cudaArray_t array) {
    const cudaResourceDesc resource = resource_of(array);
    CHECK(cudaCreateSurfaceObject(&surface_, &resource));
  }
  ~Surface() { cudaDestroySurfaceObject(surface_); }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  operator cudaSurfaceObject_t() const { return surface_; }

 private:
  cudaSurfaceObject_t surface_ = 0;
};

// Copies to, from and between arrays, with offsets.
namespace arrays {

PART(arrays) {
  constexpr std::size_t kWidth = 5, kHeight = 3, kRow = kWidth * sizeof(int);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr, other = nullptr;
  CHECK(cudaMallocArray(&array, &format, kWidth, kHeight));
  CHECK(cudaMallocArray(&other, &format, kWidth, kHeight));
  std::vector<int> numbers(kWidth * kHeight), back(kWidth * kHeight, -1);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, numbers.data(), kRow, kRow, kHeight,
                            cudaMemcpyHostToDevice));
  CHECK(
      cudaMemcpy2DFromArray(back.data(), kRow, array, 0, 0, kRow, kHeight, cudaMemcpyDeviceToHost));
  show("all", back);

  // Two columns and two rows, from column 3 and row 1 on.
  int corner[4] = {};
  CHECK(cudaMemcpy2DFromArray(corner, 8, array, 12, 1, 8, 2, cudaMemcpyDeviceToHost));
  show("corner", corner[0], corner[1], corner[2], corner[3]);

  // Onto the beginning of the other array.
  CHECK(cudaMemcpy2DToArray(other, 0, 0, std::vector<int>(15, 100).data(), kRow, kRow, kHeight,
                            cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 12, 1, 8, 2));
  CHECK(
      cudaMemcpy2DFromArray(back.data(), kRow, other, 0, 0, kRow, kHeight, cudaMemcpyDeviceToHost));
  show("other", back);

  // In a stream, from device memory with a pitch.
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  int* d_rows = nullptr;
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&d_rows, &pitch, kRow, kHeight));
  CHECK(cudaMemset2DAsync(d_rows, pitch, 1, kRow, kHeight, stream));
  CHECK(cudaMemcpy2DToArrayAsync(other, 0, 0, d_rows, pitch, kRow, kHeight,
                                 cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaMemcpy2DFromArrayAsync(back.data(), kRow, other, 0, 0, kRow, kHeight,
                                   cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  show("from a pitch", back.front(), back.back());
  CHECK(cudaStreamDestroy(stream));

  cudaChannelFormatDesc asked{};
  cudaExtent extent{};
  unsigned flags = 99;
  CHECK(cudaArrayGetInfo(&asked, &extent, &flags, array));
  show("info", asked.x, asked.y, static_cast<int>(asked.f), extent.width, extent.height,
       extent.depth, flags);
  const cudaChannelFormatDesc short4s = cudaCreateChannelDesc<short4>();
  show("short4", short4s.x, short4s.y, short4s.z, short4s.w, static_cast<int>(short4s.f));
  const cudaChannelFormatDesc plain =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  expect("float", std::memcmp(&plain, &floats, sizeof plain) == 0);
  CHECK(cudaGetChannelDesc(&asked, other));
  show("channel", asked.x);
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeArray(other));
  CHECK(cudaFreeArray(nullptr));
  CHECK(cudaFree(d_rows));
}

}  // namespace arrays

/* Prints:
all: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14
corner: 8 9 13 14
other: 8 9 100 100 100 13 14 100 100 100 100 100 100 100 100
from a pitch: 16843009 16843009
info: 32 0 0 5 3 0 0
short4: 16 16 16 16 0
float: ok
channel: 32
*/

// A box of a 3-D array, between arrays and to the host. Extents and positions are in texels.
namespace boxes {

PART(boxes) {
  std::vector<short2> texels(4 * 3 * 2);
  for (std::size_t i = 0; i < texels.size(); ++i) {
    texels[i] = make_short2(static_cast<short>(i), static_cast<short>(-static_cast<int>(i)));
  }
  const TexelArray<short2> whole(texels, 4, 3, 2);
  TexelArray<short2> part(std::vector<short2>(2 * 2 * 2), 2, 2, 2);
  cudaMemcpy3DParms copy{};
  copy.srcArray = whole.get();
  copy.srcPos = make_cudaPos(1, 1, 0);
  copy.dstArray = part.get();
  copy.extent = make_cudaExtent(2, 2, 2);
  copy.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3D(&copy));
  std::vector<int> first, second;
  for (const short2& texel : part.host()) {
    first.push_back(texel.x);
    second.push_back(texel.y);
  }
  show("first", first);
  show("second", second);

  // One row into the middle of a pitched box on the host; both positions count texels.
  short2 box[2][2][3] = {};
  cudaMemcpy3DParms row{};
  row.srcArray = whole.get();
  row.srcPos = make_cudaPos(2, 2, 1);
  row.dstPtr = make_cudaPitchedPtr(box, sizeof box[0][0], 3, 2);
  row.dstPos = make_cudaPos(1, 1, 1);
  row.extent = make_cudaExtent(2, 1, 1);
  row.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&row));
  show("row", box[1][1][0].x, box[1][1][1].x, box[1][1][2].x, box[1][0][1].x);
}

}  // namespace boxes

/* Prints:
first: 5 6 9 10 17 18 21 22
second: -5 -6 -9 -10 -17 -18 -21 -22
row: 0 22 23 0
*/

// One row of a texture at many places.
namespace lines {

__global__ void sample(cudaTextureObject_t texture, const float* places, int count, float* values) {
  for (int i = 0; i < count; ++i) values[i] = tex1D<float>(texture, places[i]);
}

void show_samples(const char* name, cudaArray_t array, const Modes& modes,
                  const std::vector<float>& places) {
  const Texture texture(array, modes);
  const DeviceArray<float> at(places), values(places.size());
  sample<<<1, 1>>>(texture, at.data(), static_cast<int>(places.size()), values.data());
  CHECK_LAUNCH();
  show(name, values.host());
}

PART(lines) {
  const TexelArray<float> array({10, 20, 40, 80}, 4);
  const std::vector<float> places = {-1.5f, -0.25f, 0.25f, 0.75f, 1.5f, 2.25f, 3.75f, 4.5f, 9.25f};
  show_samples("point, clamp", array.get(), {}, places);
  show_samples("point, border", array.get(),
               {cudaAddressModeBorder, cudaFilterModePoint, false, cudaReadModeElementType, 7},
               places);
  show_samples("linear, clamp", array.get(), {cudaAddressModeClamp, cudaFilterModeLinear}, places);
  show_samples("linear, border", array.get(), {cudaAddressModeBorder, cudaFilterModeLinear},
               places);
  // With a border in y, too, half of it is read: the row is at 0.5, and a line is read at 0.
  show_samples(
      "linear, border in x", array.get(),
      {cudaAddressModeBorder, cudaFilterModeLinear, false, cudaReadModeElementType, 0, true},
      places);
  // Without normalised coordinates wrapping and mirroring mean clamping.
  show_samples("wrap of texels", array.get(), {cudaAddressModeWrap}, places);

  // 4 * x is 0.5, 3.5, then one and two textures away on both sides.
  const std::vector<float> parts = {0.125f,  0.875f,  1.125f, 1.375f, -0.125f,
                                    -0.375f, -1.125f, 2.625f, -1.875f};
  show_samples("point, wrap", array.get(), {cudaAddressModeWrap, cudaFilterModePoint, true}, parts);
  show_samples("point, mirror", array.get(), {cudaAddressModeMirror, cudaFilterModePoint, true},
               parts);
  show_samples("point, clamp of parts", array.get(),
               {cudaAddressModeClamp, cudaFilterModePoint, true}, parts);
  // Between texels, and between the last and the first.
  const std::vector<float> between = {0.0f, 0.25f, 0.4375f, 0.9375f, 1.0f, 1.25f, -0.25f, -0.0625f};
  show_samples("linear, wrap", array.get(), {cudaAddressModeWrap, cudaFilterModeLinear, true},
               between);
  show_samples("linear, mirror", array.get(), {cudaAddressModeMirror, cudaFilterModeLinear, true},
               between);
}

}  // namespace lines

/* Prints:
point, clamp: 10 10 10 10 20 40 80 80 80
point, border: 7 7 10 10 20 40 80 7 7
linear, clamp: 10 10 10 12.5 20 35 80 80 80
linear, border: 0 1.25 3.75 6.25 10 17.5 30 0 0
linear, border in x: 0 2.5 7.5 12.5 20 35 60 0 0
wrap of texels: 10 10 10 10 20 40 80 80 80
point, wrap: 10 80 10 20 80 40 80 40 10
point, mirror: 10 80 80 40 10 20 80 40 10
point, clamp of parts: 10 80 80 80 10 10 10 80 10
linear, wrap: 45 15 25 62.5 45 15 60 62.5
linear, mirror: 10 15 25 80 80 60 15 10
*/

// The weight is kept with 8 bits after the point, 1 among them.
namespace weights {

__global__ void sample(cudaTextureObject_t texture, float* values) {
  const float x = static_cast<float>(threadIdx.x) / 1000;
  values[threadIdx.x] = tex1D<float>(texture, x + 0.5f);
}

PART(weights) {
  const TexelArray<float> array({0, 1}, 2);
  const Texture texture(array.get(), {cudaAddressModeClamp, cudaFilterModeLinear});
  const DeviceArray<float> values(1001);
  sample<<<1, 1001>>>(texture, values.data());
  CHECK_LAUNCH();
  const std::vector<float> host = values.host();
  bool whole = true, near = true;
  for (std::size_t i = 0; i < host.size(); ++i) {
    whole = whole && host[i] * 256 == std::floor(host[i] * 256);
    near = near && std::fabs(host[i] - static_cast<float>(i) / 1000) <= 1.0f / 256;
  }
  expect("multiples of 1/256", whole);
  expect("near", near);
  show("ends", host[0], host[500], host[1000]);
}

}  // namespace weights

/* Prints:
multiples of 1/256: ok
near: ok
ends: 0 0.5 1
*/

// Two dimensions: the mean of four texels, corners and edges, other address modes for x and y.
namespace planes {

__global__ void sample(cudaTextureObject_t texture, float* values) {
  values[0] = tex2D<float>(texture, 1.0f, 1.0f);    // between four
  values[1] = tex2D<float>(texture, 1.5f, 0.5f);    // a texel's middle
  values[2] = tex2D<float>(texture, 1.75f, 0.75f);  // weights of 1/4
  values[3] = tex2D<float>(texture, -3.0f, 1.5f);   // beyond, in x
  values[4] = tex2D<float>(texture, 2.5f, 5.0f);    // beyond, in y
  tex2D(&values[5], texture, 3.0f, 0.0f);
}

PART(planes) {
  // 0 4 8
  // 16 20 24
  const TexelArray<float> array({0, 4, 8, 16, 20, 24}, 3, 2);
  Modes modes{cudaAddressModeClamp, cudaFilterModeLinear};
  const DeviceArray<float> values(6);
  const Texture clamped(array.get(), modes);
  sample<<<1, 1>>>(clamped, values.data());
  CHECK_LAUNCH();
  show("clamp", values.host());

  modes.border = -100;
  cudaTextureDesc description = description_of(modes);
  description.addressMode[1] = cudaAddressModeBorder;
  const cudaResourceDesc resource = resource_of(array.get());
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  sample<<<1, 1>>>(texture, values.data());
  CHECK_LAUNCH();
  show("border in y", values.host());

  cudaTextureDesc asked{};
  cudaResourceDesc asked_resource{};
  CHECK(cudaGetTextureObjectTextureDesc(&asked, texture));
  CHECK(cudaGetTextureObjectResourceDesc(&asked_resource, texture));
  show("asked", static_cast<int>(asked.filterMode), static_cast<int>(asked.addressMode[1]));
  expect("resource", asked_resource.resType == cudaResourceTypeArray &&
                         asked_resource.res.array.array == array.get());
  CHECK(cudaDestroyTextureObject(texture));
}

}  // namespace planes

/* Prints:
clamp: 10 4 9 16 24 8
border in y: 10 4 9 16 -100 -46
asked: 1 3
resource: ok
*/

// Three dimensions, and layers, between which nothing is filtered.
namespace volumes {

__global__ void sample(cudaTextureObject_t volume, cudaTextureObject_t planes,
                       cudaTextureObject_t lines, float* values) {
  values[0] = tex3D<float>(volume, 1.0f, 1.0f, 1.0f);  // the mean of all eight
  values[1] = tex3D<float>(volume, 1.5f, 0.5f, 0.5f);
  values[2] = tex3D<float>(volume, 0.5f, 0.5f, 1.25f);
  values[3] = tex2DLayered<float>(planes, 1.0f, 1.0f, 0);
  values[4] = tex2DLayered<float>(planes, 1.0f, 1.0f, 1);
  values[5] = tex1DLayered<float>(lines, 0.5f, 1);
  values[6] = tex1DLayered<float>(lines, 1.0f, 2);
}

PART(volumes) {
  const std::vector<float> eight = {0, 1, 2, 3, 40, 50, 60, 70};
  const Modes linear{cudaAddressModeClamp, cudaFilterModeLinear};
  const TexelArray<float> box(eight, 2, 2, 2);
  const TexelArray<float> layers(eight, 2, 2, 2, cudaArrayLayered);
  const TexelArray<float> rows(eight, 2, 0, 4, cudaArrayLayered);
  const Texture volume(box.get(), linear), planes(layers.get(), linear), lines(rows.get(), linear);
  const DeviceArray<float> values(7);
  sample<<<1, 1>>>(volume, planes, lines, values.data());
  CHECK_LAUNCH();
  show("values", values.host());
}

}  // namespace volumes

/* Prints:
values: 28.25 1 30 1.5 55 2 45
*/

// All types of texels, as they are and as floats between -1 or 0 and 1.
namespace formats {

template <class T>
__global__ void read(cudaTextureObject_t texture, T* texels) {
  texels[threadIdx.x] = tex1D<T>(texture, static_cast<float>(threadIdx.x));
}

template <class T, class Read>
std::vector<Read> texels_of(const std::vector<T>& texels, cudaTextureReadMode mode) {
  const TexelArray<T> array(texels, texels.size());
  Modes modes;
  modes.read = mode;
  const Texture texture(array.get(), modes);
  const DeviceArray<Read> values(texels.size());
  read<Read><<<1, static_cast<unsigned>(texels.size())>>>(texture, values.data());
  CHECK_LAUNCH();
  return values.host();
}

template <class T>
void show_elements(const char* name, const std::vector<T>& texels) {
  const std::vector<T> same = texels_of<T, T>(texels, cudaReadModeElementType);
  expect(name, std::memcmp(same.data(), texels.data(), texels.size() * sizeof(T)) == 0);
}

template <class T>
void show_floats(const char* name, const std::vector<T>& texels, double largest) {
  const std::vector<float> floats = texels_of<T, float>(texels, cudaReadModeNormalizedFloat);
  bool same = true;
  for (std::size_t i = 0; i < texels.size(); ++i) {
    const double wanted = std::fmax(static_cast<double>(texels[i]) / largest, -1.0);
    same = same && std::fabs(floats[i] - wanted) <= 1e-6;
  }
  expect(name, same);
  show("ends", floats.front(), floats.back());
}

PART(formats) {
  show_elements<signed char>("signed char", {-128, -1, 0, 127});
  show_elements<unsigned char>("unsigned char", {0, 1, 128, 255});
  show_elements<short>("short", {-32768, -1, 32767});
  show_elements<unsigned short>("unsigned short", {0, 40000, 65535});
  show_elements<int>("int", {-2147483647, -1, 2000000001});
  show_elements<unsigned>("unsigned", {0, 4000000001u});
  show_elements<float>("float", {-0.1f, 3e38f, 1e-40f});
  show_elements<char2>("char2", {{-128, 127}, {1, -2}});
  show_elements<uchar4>("uchar4", {{1, 2, 3, 255}, {4, 5, 6, 7}});
  show_elements<short4>("short4", {{1, -2, 3, -32768}});
  show_elements<ushort2>("ushort2", {{1, 65535}});
  show_elements<int4>("int4", {{1, -2, 3, 4}, {5, 6, 7, -8}});
  show_elements<uint2>("uint2", {{1, 4000000000u}});
  show_elements<float2>("float2", {{1, 2}, {3, 4}});
  show_elements<float4>("float4", {{1, 2, 3, 4}, {5, 6, 7, 8}});
  show_floats<signed char>("signed char as float", {-128, -127, 0, 64, 127}, 127);
  show_floats<unsigned char>("unsigned char as float", {0, 1, 128, 255}, 255);
  show_floats<short>("short as float", {-32768, -5, 32767}, 32767);
  show_floats<unsigned short>("unsigned short as float", {0, 777, 65535}, 65535);
}

}  // namespace formats

/* Prints:
signed char: ok
unsigned char: ok
short: ok
unsigned short: ok
int: ok
unsigned: ok
float: ok
char2: ok
uchar4: ok
short4: ok
ushort2: ok
int4: ok
uint2: ok
float2: ok
float4: ok
signed char as float: ok
ends: -1 1
unsigned char as float: ok
ends: 0 1
short as float: ok
ends: -1 1
unsigned short as float: ok
ends: 0 1
*/

// Floats of 16 bits are read as float; colours of 8 bits are filtered as floats.
namespace halves_and_colours {

__global__ void sample(cudaTextureObject_t halves, cudaTextureObject_t colours, float* values) {
  values[0] = tex2D<float>(halves, 0.5f, 0.5f);
  values[1] = tex2D<float>(halves, 1.5f, 0.5f);
  values[2] = tex2D<float>(halves, 1.0f, 0.5f);
  const float4 colour = tex2D<float4>(colours, 1.0f, 0.5f);
  values[3] = colour.x;
  values[4] = colour.y;
  values[5] = colour.z;
  values[6] = colour.w;
}

PART(halves_and_colours) {
  const cudaChannelFormatDesc half_format = cudaCreateChannelDescHalf();
  cudaArray_t halves = nullptr;
  CHECK(cudaMallocArray(&halves, &half_format, 2, 1));
  const std::uint16_t bits[2] = {0x3c00, 0xc500};  // 1 and -5
  CHECK(cudaMemcpy2DToArray(halves, 0, 0, bits, 4, 4, 1, cudaMemcpyHostToDevice));
  const TexelArray<uchar4> colours({{0, 255, 0, 255}, {255, 255, 0, 0}}, 2, 1);
  const Modes linear{cudaAddressModeClamp, cudaFilterModeLinear};
  Modes colour_modes = linear;
  colour_modes.read = cudaReadModeNormalizedFloat;
  const Texture half_texture(halves, linear), colour_texture(colours.get(), colour_modes);
  const DeviceArray<float> values(7);
  sample<<<1, 1>>>(half_texture, colour_texture, values.data());
  CHECK_LAUNCH();
  show("values", values.host());
  CHECK(cudaFreeArray(halves));
}

}  // namespace halves_and_colours

/* Prints:
values: 1 -5 -2 0.500008 1 0 0.500008
*/

// How integers are filtered, to the last bit.
namespace fractions {

__host__ __device__ unsigned mixed(unsigned number) {
  number = (number ^ (number >> 16)) * 0x45d9f3bu;
  number = (number ^ (number >> 16)) * 0x45d9f3bu;
  return number ^ (number >> 16);
}

constexpr int kSize = 8, kPlaces = 4096;

// Places between the centres of the first and the last texel, in steps of 1/256.
__global__ void sample(cudaTextureObject_t texture, int dimensions, float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float at[3];
  for (int d = 0; d < 3; ++d) at[d] = 0.5f + mixed(3 * i + d) % (256 * (kSize - 1)) / 256.0f;
  values[i] = dimensions == 1   ? tex1D<float>(texture, at[0])
              : dimensions == 2 ? tex2D<float>(texture, at[0], at[1])
                                : tex3D<float>(texture, at[0], at[1], at[2]);
}

template <class T>
void show_fractions(const char* name) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    const std::size_t height = dimensions > 1 ? kSize : 0, depth = dimensions > 2 ? kSize : 0;
    std::vector<T> texels(kSize * (height ? height : 1) * (depth ? depth : 1));
    for (std::size_t i = 0; i < texels.size(); ++i) {
      texels[i] = static_cast<T>(mixed(static_cast<unsigned>(i) + 77));
    }
    const TexelArray<T> array(texels, kSize, height, depth);
    Modes modes{cudaAddressModeClamp, cudaFilterModeLinear};
    modes.read = cudaReadModeNormalizedFloat;
    const Texture texture(array.get(), modes);
    const DeviceArray<float> values(kPlaces);
    sample<<<kPlaces / 256, 256>>>(texture, dimensions, values.data());
    CHECK_LAUNCH();
    unsigned hash = 2166136261u;  // FNV-1a over the bits of all values
    for (const float value : values.host()) {
      unsigned bits;
      std::memcpy(&bits, &value, sizeof bits);
      hash = (hash ^ bits) * 16777619u;
    }
    show(name, dimensions, values.host()[0], values.host()[1], hash);
  }
}

PART(fractions) {
  show_fractions<unsigned char>("unsigned char");
  show_fractions<signed char>("signed char");
  show_fractions<unsigned short>("unsigned short");
  show_fractions<short>("short");
}

}  // namespace fractions

/* Prints:
unsigned char: 1 0.670588 0.167819 3636331413
unsigned char: 2 0.258717 0.215122 743776930
unsigned char: 3 0.618387 0.410895 1846374834
signed char: 1 -0.669301 0.336955 2832177033
signed char: 2 -0.18131 0.329569 342253386
signed char: 3 0.178655 0.0691244 1205486803
unsigned short: 1 0.873716 0.184955 3312982064
unsigned short: 2 0.767636 0.210605 3327379253
unsigned short: 3 0.769818 0.525277 4184013599
short: 1 -0.252602 0.369915 3444756400
short: 2 -0.464766 0.319651 714768555
short: 3 -0.0463271 -0.0510269 3917337881
*/

// Linear memory: elements by number, and rows with a pitch.
namespace linear_memory {

template <class T>
__global__ void fetch(cudaTextureObject_t texture, T* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = tex1Dfetch<T>(texture, count - 1 - i);
}

__global__ void sample(cudaTextureObject_t texture, float* values) {
  values[0] = tex2D<float>(texture, 1.0f, 1.0f);
  values[1] = tex2D<float>(texture, 2.5f, 1.5f);
  values[2] = tex2D<float>(texture, 9.0f, 0.5f);
}

PART(linear_memory) {
  const DeviceArray<int> numbers({1, 2, 3, 4, 5, 6, 7}), reversed(7);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = numbers.data();
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 7 * sizeof(int);
  const Texture elements(resource, {});
  fetch<int><<<2, 4>>>(elements, reversed.data(), 7);
  CHECK_LAUNCH();
  show("reversed", reversed.host());

  const DeviceArray<uchar4> bytes(std::vector<uchar4>{{0, 51, 102, 255}, {255, 0, 0, 0}});
  const DeviceArray<float4> floats(2);
  resource.res.linear.devPtr = bytes.data();
  resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.linear.sizeInBytes = 2 * sizeof(uchar4);
  Modes normalized;
  normalized.read = cudaReadModeNormalizedFloat;
  const Texture colours(resource, normalized);
  fetch<float4><<<1, 2>>>(colours, floats.data(), 2);
  CHECK_LAUNCH();
  const std::vector<float4> host = floats.host();
  show("colours", host[0].x, host[0].y, host[1].y, host[1].z, host[1].w);

  // 0 4 8, 16 20 24
  float *d_rows = nullptr, rows[6] = {0, 4, 8, 16, 20, 24};
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&d_rows, &pitch, 3 * sizeof(float), 2));
  CHECK(cudaMemcpy2D(d_rows, pitch, rows, 12, 12, 2, cudaMemcpyHostToDevice));
  cudaResourceDesc pitched{};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = d_rows;
  pitched.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  pitched.res.pitch2D.width = 3;
  pitched.res.pitch2D.height = 2;
  pitched.res.pitch2D.pitchInBytes = pitch;
  const DeviceArray<float> values(3);
  {
    const Texture texture(pitched, {cudaAddressModeClamp, cudaFilterModeLinear});
    sample<<<1, 1>>>(texture, values.data());
    CHECK_LAUNCH();
  }
  show("pitched", values.host());
  CHECK(cudaFree(d_rows));
}

}  // namespace linear_memory

/* Prints:
reversed: 7 6 5 4 3 2 1
colours: 1 0 0.2 0.4 1
pitched: 10 24 8
*/

// One channel of the four texels around a place.
namespace gather {

__global__ void collect(cudaTextureObject_t texture, float4* values) {
  values[0] = tex2Dgather<float4>(texture, 1.0f, 1.0f);
  values[1] = tex2Dgather<float4>(texture, 2.0f, 2.0f, 1);
}

PART(gather) {
  std::vector<float2> texels;
  for (int i = 0; i < 9; ++i) texels.push_back({static_cast<float>(i), static_cast<float>(10 * i)});
  const TexelArray<float2> array(texels, 3, 3, 0, cudaArrayTextureGather);
  const Texture texture(array.get(), {});
  const DeviceArray<float4> values(2);
  collect<<<1, 1>>>(texture, values.data());
  CHECK_LAUNCH();
  for (const float4& four : values.host()) show("four", four.x, four.y, four.z, four.w);
}

}  // namespace gather

/* Prints:
four: 3 4 1 0
four: 70 80 50 40
*/

// Surfaces are read and written in place; x is in bytes.
namespace surfaces {

__global__ void change(cudaSurfaceObject_t line, cudaSurfaceObject_t plane,
                       cudaSurfaceObject_t volume, cudaSurfaceObject_t layers) {
  const int x = static_cast<int>(threadIdx.x);
  surf1Dwrite(surf1Dread<int>(line, x * 4) * 10, line, x * 4);
  const uchar4 colour = surf2Dread<uchar4>(plane, x * 4, 1);
  surf2Dwrite(make_uchar4(colour.w, colour.z, colour.y, colour.x), plane, x * 4, 0);
  float value = 0;
  surf3Dread(&value, volume, x * 4, 1, 0);
  surf3Dwrite(value + 0.5f, volume, x * 4, 0, 1);
  surf2DLayeredwrite(surf2DLayeredread<short>(layers, x * 2, 0, 0), layers, x * 2, 1, 1);
}

// What is beyond an edge is 0 and not written, or is the edge.
__global__ void beyond(cudaSurfaceObject_t line, int* values) {
  values[0] = surf1Dread<int>(line, -4, cudaBoundaryModeZero);
  values[1] = surf1Dread<int>(line, 12, cudaBoundaryModeZero);
  values[2] = surf1Dread<int>(line, -4, cudaBoundaryModeClamp);
  values[3] = surf1Dread<int>(line, 400, cudaBoundaryModeClamp);
  surf1Dwrite(-1, line, 12, cudaBoundaryModeZero);
  surf1Dwrite(77, line, 400, cudaBoundaryModeClamp);
}

PART(surfaces) {
  constexpr unsigned kFlags = cudaArraySurfaceLoadStore;
  const TexelArray<int> line({1, 2, 3}, 3, 0, 0, kFlags);
  const TexelArray<uchar4> plane({{}, {}, {}, {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, 3, 2, 0,
                                 kFlags);
  const TexelArray<float> volume({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 2, 2, kFlags);
  const TexelArray<short> layers({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 3, 2, 2,
                                 kFlags | cudaArrayLayered);
  const Surface line_surface(line.get()), plane_surface(plane.get()), volume_surface(volume.get()),
      layers_surface(layers.get());
  change<<<1, 3>>>(line_surface, plane_surface, volume_surface, layers_surface);
  CHECK_LAUNCH();
  show("line", line.host());
  const std::vector<uchar4> colours = plane.host();
  show("plane", int{colours[0].x}, int{colours[0].w}, int{colours[2].x}, int{colours[5].x});
  show("volume", volume.host());
  std::vector<int> shorts;
  for (const short value : layers.host()) shorts.push_back(value);
  show("layers", shorts);

  const DeviceArray<int> values(4);
  beyond<<<1, 1>>>(line_surface, values.data());
  CHECK_LAUNCH();
  show("beyond", values.host());
  show("line", line.host());
  cudaResourceDesc asked{};
  CHECK(cudaGetSurfaceObjectResourceDesc(&asked, line_surface));
  expect("resource", asked.res.array.array == line.get());
}

}  // namespace surfaces

/* Prints:
line: 10 20 30
plane: 4 1 12 9
volume: 0 1 2 3 4 5 3.5 4.5 5.5 9 10 11
layers: 1 2 3 4 5 6 7 8 9 1 2 3
beyond: 0 0 10 30
line: 10 20 77
resource: ok
*/

// A kernel writes an array through a surface, and the next one reads it through a texture.
namespace turns {

__global__ void fill(cudaSurfaceObject_t surface, int width, int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  surf2Dwrite(static_cast<float>(x + 100 * y), surface, x * static_cast<int>(sizeof(float)), y);
}

template <class T>
__global__ void transpose(cudaTextureObject_t texture, T* out, int width, int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < width && y < height) out[x * height + y] = tex2D<T>(texture, x, y);
}

PART(turns) {
  constexpr int kWidth = 37, kHeight = 19;
  const TexelArray<float> array(std::vector<float>(kWidth * kHeight), kWidth, kHeight, 0,
                                cudaArraySurfaceLoadStore);
  const Surface surface(array.get());
  const Texture texture(array.get(), {});
  const DeviceArray<float> out(kWidth * kHeight);
  const dim3 block(8, 8), grid((kWidth + 7) / 8, (kHeight + 7) / 8);
  fill<<<grid, block>>>(surface, kWidth, kHeight);
  transpose<float><<<grid, block>>>(texture, out.data(), kWidth, kHeight);
  CHECK_LAUNCH();
  const std::vector<float> host = out.host();
  bool right = true;
  for (int x = 0; x < kWidth; ++x) {
    for (int y = 0; y < kHeight; ++y) {
      right = right &&
              host[static_cast<std::size_t>(x * kHeight + y)] == static_cast<float>(x + 100 * y);
    }
  }
  expect("transposed", right);
}

}  // namespace turns

/* Prints:
transposed: ok
*/

// What cannot be created is refused, and leaves the next calls alone.
namespace refused {

void show_refused(const char* name, cudaError_t error) {
  std::printf("%s: %s\n", name, error == cudaSuccess ? "created" : "refused");
  cudaGetLastError();
}

PART(refused) {
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  const cudaChannelFormatDesc three =
      cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  cudaArray_t array = nullptr, none = nullptr;
  CHECK(cudaMallocArray(&array, &bytes, 8, 8));
  show_refused("no width", cudaMallocArray(&none, &bytes, 0, 4));
  show_refused("three channels", cudaMallocArray(&none, &three, 4, 4));
  show_refused("too wide", cudaMallocArray(&none, &bytes, std::size_t{1} << 30, 4));

  cudaResourceDesc resource = resource_of(array);
  cudaTextureObject_t texture = 0;
  cudaTextureDesc description = description_of({cudaAddressModeClamp, cudaFilterModeLinear});
  show_refused("filtered integers",
               cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  description.readMode = cudaReadModeNormalizedFloat;
  show_refused("filtered floats",
               cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  CHECK(cudaDestroyTextureObject(texture));
  cudaSurfaceObject_t surface = 0;
  resource.resType = cudaResourceTypeLinear;
  show_refused("a surface of memory", cudaCreateSurfaceObject(&surface, &resource));

  unsigned char host[8] = {};
  show_refused("copy beyond a row",
               cudaMemcpy2DToArray(array, 4, 0, host, 8, 8, 1, cudaMemcpyHostToDevice));
  show_refused("copy beyond the rows",
               cudaMemcpy2DFromArray(host, 1, array, 0, 4, 1, 5, cudaMemcpyDeviceToHost));
  CHECK(cudaFreeArray(array));
}

}  // namespace refused

/* Prints:
no width: refused
three channels: refused
too wide: refused
filtered integers: refused
filtered floats: created
a surface of memory: refused
copy beyond a row: refused
copy beyond the rows: refused
*/
