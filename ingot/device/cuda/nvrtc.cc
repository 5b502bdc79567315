#include "ingot/device/cuda/nvrtc.h"

#include <algorithm>
#include <cstdlib>

#include "ingot/base/error.h"
#include "ingot/device/cuda/cuda_api.h"
#include "ingot/device/cuda/library.h"

namespace ingot::cuda {
namespace {

constexpr int kOldestMajor = 12;

NvrtcApi bind_all(Library& nvrtc) {
  NvrtcApi api{};
  nvrtc.bind(api.version, "nvrtcVersion");
  nvrtc.bind(api.error_text, "nvrtcGetErrorString");
  nvrtc.bind(api.create, "nvrtcCreateProgram");
  nvrtc.bind(api.destroy, "nvrtcDestroyProgram");
  nvrtc.bind(api.compile, "nvrtcCompileProgram");
  nvrtc.bind(api.log_size, "nvrtcGetProgramLogSize");
  nvrtc.bind(api.log, "nvrtcGetProgramLog");
  nvrtc.bind(api.cubin_size, "nvrtcGetCUBINSize");
  nvrtc.bind(api.cubin, "nvrtcGetCUBIN");
  nvrtc.bind(api.ptx_size, "nvrtcGetPTXSize");
  nvrtc.bind(api.ptx, "nvrtcGetPTX");
  nvrtc.bind(api.architecture_count, "nvrtcGetNumSupportedArchs");
  nvrtc.bind(api.architectures, "nvrtcGetSupportedArchs");
  return api;
}

// Where the compiler of CUDA `major` may be: the loader's path, a toolkit in the usual place or where CUDA_HOME says.
std::vector<std::string> places(int major) {
  const std::string file = cat("libnvrtc.so.", major);
  std::vector<std::string> paths = {file};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value && *value) paths.push_back(cat(value, "/lib64/", file));
  }
  paths.push_back(cat("/usr/local/cuda/lib64/", file));
  paths.push_back(cat("/usr/local/cuda-", major, "/lib64/", file));
  return paths;
}

// A program while it is compiled.
class Program {
 public:
  Program(const NvrtcApi& api, NvrtcProgram program) : api_(api), program_(program) {}
  ~Program() { api_.destroy(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  NvrtcProgram get() const { return program_; }

  std::string read(int (*size)(NvrtcProgram, size_t*), int (*contents)(NvrtcProgram, char*)) const {
    size_t bytes = 0;
    if (size(program_, &bytes) != 0) return "";
    std::string result(bytes, '\0');
    if (bytes > 0 && contents(program_, result.data()) != 0) return "";
    return result;
  }
  std::string log() const {
    std::string text = read(api_.log_size, api_.log);
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
  }

 private:
  const NvrtcApi& api_;
  NvrtcProgram program_;
};

}  // namespace

Nvrtc::Nvrtc(const NvrtcApi& api, std::string path, std::span<const msl::EmbeddedHeader> headers)
    : api_(api), path_(std::move(path)) {
  if (api_.version(&major_, &minor_) != 0 || major_ < kOldestMajor) {
    fail(ErrorKind::kUnsupported, "nvrtc",
         cat(path_, " is version ", major_, '.', minor_, "; ", kOldestMajor, ".0 or newer is needed"));
  }
  int count = 0;
  if (api_.architecture_count(&count) == 0 && count > 0) {
    architectures_.resize(count);
    if (api_.architectures(architectures_.data()) != 0) architectures_.clear();
  }
  Sha256 hash;
  for (const msl::EmbeddedHeader& header : headers) {
    header_names_.emplace_back(header.name);
    header_texts_.emplace_back(header.text);
    hash.add_field(header.name);
    hash.add_field(header.text);
  }
  headers_digest_ = hash.finish();
  for (const std::string& name : header_names_) name_pointers_.push_back(name.c_str());
  for (const std::string& text : header_texts_) text_pointers_.push_back(text.c_str());
}

std::unique_ptr<Nvrtc> Nvrtc::open(int driver_version, std::string& why) {
  std::vector<std::string> paths;
  for (int major = std::min(driver_version / 1000, 13); major >= kOldestMajor; --major) {
    const std::vector<std::string> of_major = places(major);
    paths.insert(paths.end(), of_major.begin(), of_major.end());
  }
  paths.push_back("libnvrtc.so");
  Library nvrtc(library_paths("INGOT_NVRTC_LIBRARY", paths));
  if (!nvrtc.opened()) {
    why = cat("the CUDA compiler library NVRTC cannot be opened (",
              std::getenv("INGOT_NVRTC_LIBRARY") ? nvrtc.error() : "libnvrtc.so was not found", ")");
    return nullptr;
  }
  const NvrtcApi api = bind_all(nvrtc);
  if (!nvrtc.missing().empty()) {
    why = cat(nvrtc.path(), " is too old: it lacks ", nvrtc.missing());
    return nullptr;
  }
  try {
    auto result = std::make_unique<Nvrtc>(api, nvrtc.path(), msl::embedded_headers());
    if (result->major_ <= driver_version / 1000) return result;
    why = cat(nvrtc.path(), " is of CUDA ", result->version(), ", but the driver only knows CUDA ",
              version_text(driver_version));
  } catch (const Error& error) {
    why = error.what();
  }
  return nullptr;
}

std::string Nvrtc::version() const { return cat(major_, '.', minor_); }

bool Nvrtc::knows(int compute_capability) const {
  return architectures_.empty() ||
         std::find(architectures_.begin(), architectures_.end(), compute_capability) != architectures_.end();
}

std::vector<std::string> Nvrtc::all_options(std::span<const std::string> options, int compute_capability) const {
  std::string architecture = cat("sm_", compute_capability);
  if (!knows(compute_capability)) {
    int nearest = 80;
    for (const int known : architectures_) {
      if (known < compute_capability) nearest = std::max(nearest, known);
    }
    architecture = cat("compute_", nearest);
  }
  std::vector<std::string> all = {"--gpu-architecture=" + architecture, "--std=c++17", "-default-device"};
  all.insert(all.end(), options.begin(), options.end());
  return all;
}

std::string Nvrtc::compile(const std::string& name, const std::string& text, std::span<const std::string> options,
                           int compute_capability) const {
  NvrtcProgram handle = nullptr;
  const int created = api_.create(&handle, text.c_str(), name.c_str(), int(name_pointers_.size()),
                                  text_pointers_.data(), name_pointers_.data());
  if (created != 0) fail(ErrorKind::kDevice, "nvrtc", cat(name, ": ", api_.error_text(created)));
  const Program program(api_, handle);

  const std::vector<std::string> all = all_options(options, compute_capability);
  std::vector<const char*> pointers;
  for (const std::string& option : all) pointers.push_back(option.c_str());
  const int compiled = api_.compile(program.get(), int(pointers.size()), pointers.data());
  if (compiled != 0) {
    fail(ErrorKind::kDevice, "nvrtc",
         cat(name, " does not compile for ", all[0].substr(all[0].find('=') + 1), " with CUDA ", version(), " (",
             api_.error_text(compiled), "):\n", program.log()));
  }
  std::string image =
      knows(compute_capability) ? program.read(api_.cubin_size, api_.cubin) : program.read(api_.ptx_size, api_.ptx);
  if (image.empty()) fail(ErrorKind::kDevice, "nvrtc", cat(name, ": the compiler gave no code"));
  return image;
}

Sha256::Digest Nvrtc::key(const std::string& name, const std::string& text, std::span<const std::string> options,
                          int compute_capability) const {
  Sha256 hash;
  hash.add_field("ingot kernel 1");
  hash.add_field(version());
  hash.add_field(name);  // it stands in line information
  hash.add_field(text);
  hash.add_field({reinterpret_cast<const char*>(headers_digest_.data()), headers_digest_.size()});
  for (const std::string& option : all_options(options, compute_capability)) hash.add_field(option);
  return hash.finish();
}

}  // namespace ingot::cuda
