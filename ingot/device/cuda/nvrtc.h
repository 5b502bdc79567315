// NVIDIA's run-time compiler, opened at run time: CUDA text of kernels (ingot/msl/emitted.md) to machine code.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingot/device/cuda/sha256.h"
#include "ingot/msl/embedded.h"

namespace ingot::cuda {

using NvrtcProgram = struct NvrtcProgramTag*;

struct NvrtcApi {
  int (*version)(int* major, int* minor);
  const char* (*error_text)(int result);
  int (*create)(NvrtcProgram* program, const char* text, const char* name, int headers, const char* const* texts,
                const char* const* names);
  int (*destroy)(NvrtcProgram* program);
  int (*compile)(NvrtcProgram program, int options, const char* const* option_texts);
  int (*log_size)(NvrtcProgram program, size_t* bytes);
  int (*log)(NvrtcProgram program, char* text);
  int (*cubin_size)(NvrtcProgram program, size_t* bytes);
  int (*cubin)(NvrtcProgram program, char* image);
  int (*ptx_size)(NvrtcProgram program, size_t* bytes);
  int (*ptx)(NvrtcProgram program, char* text);
  int (*architecture_count)(int* count);
  int (*architectures)(int* numbers);
};

class Nvrtc {
 public:
  // Error kUnsupported for a compiler older than 12.0. Any function may be called from several threads.
  Nvrtc(const NvrtcApi& api, std::string path, std::span<const msl::EmbeddedHeader> headers);

  // The newest that is found and whose machine code a driver for CUDA `driver_version` (13000 for 13.0) loads: what
  // INGOT_NVRTC_LIBRARY names, else the loader's and CUDA's usual places. Null where there is none; `why` then tells in
  // words without a full stop.
  static std::unique_ptr<Nvrtc> open(int driver_version, std::string& why);

  const std::string& path() const { return path_; }
  std::string version() const;                                              // "13.0"
  const std::vector<int>& architectures() const { return architectures_; }  // 80, 90, ...

  // The machine code of a text for a GPU of that compute capability (90); or, if this compiler is older than the GPU,
  // PTX, which the driver compiles. `options` come after those that every kernel has. Error kDevice with the compiler's
  // log, whose places are those of the .metal file.
  std::string compile(const std::string& name, const std::string& text, std::span<const std::string> options,
                      int compute_capability) const;

  // What the result of compile() depends on.
  Sha256::Digest key(const std::string& name, const std::string& text, std::span<const std::string> options,
                     int compute_capability) const;

 private:
  std::vector<std::string> all_options(std::span<const std::string> options, int compute_capability) const;
  bool knows(int compute_capability) const;

  NvrtcApi api_;
  std::string path_;
  int major_ = 0, minor_ = 0;
  std::vector<int> architectures_;
  std::vector<std::string> header_names_, header_texts_;
  std::vector<const char*> name_pointers_, text_pointers_;
  Sha256::Digest headers_digest_;
};

}  // namespace ingot::cuda
