// SPDX-License-Identifier: MIT
// The workloads as OpenCL, for PoCL and Oclgrind. KERNELS names kernels.cl.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <fstream>
#include <iterator>
#include <string>

#include "workload.h"

using namespace workload;

namespace {

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  std::exit(1);
}

struct Device {
  Device() {
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr), "clGetDeviceIDs");
    cl_int status;
    context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, id, 0, &status);
    check(status, "clCreateCommandQueue");
  }

  // The OpenCL platform and device, for the report.
  void describe() const {
    char name[256] = "", version[256] = "", device[256] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, nullptr);
    clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof device, device, nullptr);
    std::printf("%s, %s, %s\n", name, version, device);
  }

  cl_kernel kernel(const std::string& name) const {
    std::ifstream file(KERNELS);
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    const char* text = source.c_str();
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    const std::string options =
        "-DFILTER=" + std::to_string(kFilter) + " -DTILE=" + std::to_string(kTile) +
        " -DBLOCK=" + std::to_string(kBlock) + " -DTURNS=" + std::to_string(kTurns);
    check(clBuildProgram(program, 1, &id, options.c_str(), nullptr, nullptr), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, name.c_str(), &status);
    check(status, "clCreateKernel");
    return kernel;
  }

  cl_mem buffer(std::vector<float> values) const {
    cl_int status;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   values.size() * sizeof(float), values.data(), &status);
    check(status, "clCreateBuffer");
    return memory;
  }

  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  const Device device;
  if (argc == 2 && std::strcmp(argv[1], "describe") == 0) {
    device.describe();
    return 0;
  }
  const Request asked = request(argc, argv);
  const auto size = static_cast<std::size_t>(asked.size);
  const bool waits = asked.is("launches_waited_for"), is_launch = waits || asked.is("launches");
  const bool is_square = asked.is("conv") || asked.is("matmul");
  if (!is_launch && !is_square && !asked.is("add") && !asked.is("ring")) unknown(asked);

  const std::size_t count = is_launch ? 1 : is_square ? size * size : size * kBlock;
  const std::size_t with_border = (size + kFilter - 1) * (size + kFilter - 1);
  cl_mem x = device.buffer(input(asked.is("conv") ? with_border : count, 1));
  cl_mem w = device.buffer(input(asked.is("conv") ? kFilter * kFilter : count, 2));
  cl_mem y = device.buffer(input(count, 0));
  cl_kernel kernel = device.kernel(is_launch ? "launches" : asked.name);
  cl_uint parameters = 0;
  const auto pass = [&](std::size_t bytes, const void* value) {
    check(clSetKernelArg(kernel, parameters++, bytes, value), "clSetKernelArg");
  };
  if (!is_launch) {
    pass(sizeof x, &x);
    if (!asked.is("ring")) pass(sizeof w, &w);
    pass(sizeof y, &y);
    if (is_square) pass(sizeof asked.size, &asked.size);
  }
  const std::size_t tiles = (size + kTile - 1) / kTile * kTile;
  const std::size_t global[2] = {is_square ? tiles : size * kBlock, tiles};
  const std::size_t local[2] = {static_cast<std::size_t>(is_square ? kTile : kBlock), kTile};
  const auto wait = [&] { check(clFinish(device.queue), "clFinish"); };
  const auto once = [&] {
    check(clEnqueueNDRangeKernel(device.queue, kernel, is_square ? 2 : 1, nullptr, global, local, 0,
                                 nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    if (waits) wait();
  };
  measure(asked, once, wait, [&] {
    std::vector<float> values(count);
    check(clEnqueueReadBuffer(device.queue, y, CL_TRUE, 0, count * sizeof(float), values.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
    return values;
  });
}
