#include "ingot/device/gpu/sim/sim_driver.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <variant>

#include "ingot/base/error.h"
#include "ingot/device/cpu/memory.h"
#include "ingot/device/sim/sim.h"
#include "ingot/msl/embedded.h"

namespace ingot::gpu {

namespace {

constexpr Device kSimDevice{DeviceKind::kSim, 0};
constexpr size_t kAlignment = 256;

class SimMemory : public Memory {
 public:
  SimMemory(size_t bytes, std::atomic<size_t>& held) : bytes_(bytes), held_(&held) {
    if (posix_memalign(&data_, kAlignment, bytes) != 0)
      fail(ErrorKind::kMemory, name(kSimDevice), cat("the system has no ", human_bytes(double(bytes)), " left"));
    held += bytes;
  }
  SimMemory(void* data, size_t bytes) : data_(data), bytes_(bytes) {}  // somebody else's
  ~SimMemory() override {
    if (!held_) return;
    *held_ -= bytes_;
    std::free(data_);
  }
  SimMemory(const SimMemory&) = delete;
  SimMemory& operator=(const SimMemory&) = delete;
  size_t bytes() const override { return bytes_; }
  uint64_t address() const override { return reinterpret_cast<uintptr_t>(data_); }
  void* host() const override { return data_; }

 private:
  void* data_ = nullptr;
  size_t bytes_;
  std::atomic<size_t>* held_ = nullptr;
};

char* at(Slice s) { return static_cast<char*>(s.memory->host()) + s.offset; }

class SimKernel : public Kernel {
 public:
  SimKernel(const sim::Kernel& kernel, std::span<const Constant> constants)
      : constants_(constants.begin(), constants.end()) {
    signature_.host_name = signature_.function = kernel.name;
    signature_.max_threads = int(kernel.max_threads);
    for (int i = 0; i < kernel.param_count; i++) {
      const msl_sim::Param& p = kernel.params[i];
      msl::KernelParameter parameter;
      parameter.name = p.name;
      parameter.kind = p.kind == msl_sim::ParamKind::kPointer ? msl::ParameterKind::kPointer
                       : p.kind == msl_sim::ParamKind::kValue ? msl::ParameterKind::kValue
                                                              : msl::ParameterKind::kThreadgroup;
      parameter.index = p.index;
      parameter.written = p.written;
      if (p.optional) parameter.optional_if = "a function constant";
      signature_.parameters.push_back(std::move(parameter));
    }
  }
  const msl::KernelSignature& signature() const override { return signature_; }
  int max_threads() const override { return signature_.max_threads; }
  const std::vector<Constant>& constants() const { return constants_; }

 private:
  msl::KernelSignature signature_;
  std::vector<Constant> constants_;
};

// The steps of a recording, with the values that launches were given.
struct RecordedLaunch {
  const Kernel* kernel;
  Size groups, threads;
  std::vector<Binding> bindings;
  std::vector<std::unique_ptr<char[]>> values;
};
struct RecordedCopy {
  Slice from, to;
  size_t bytes;
};
struct RecordedFill {
  Slice to;
  uint8_t value;
  size_t bytes;
};

class SimRecording : public Recording {
 public:
  size_t launches() const override {
    size_t n = 0;
    for (const auto& step : steps) n += std::holds_alternative<RecordedLaunch>(step);
    return n;
  }
  std::vector<std::variant<RecordedLaunch, RecordedCopy, RecordedFill>> steps;
};

class SimEvent : public Event {
 public:
  bool done() const override { return true; }
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::now();
};

RecordedLaunch recorded(const Launch& launch) {
  RecordedLaunch r{launch.kernel, launch.groups, launch.threads, {}, {}};
  for (Binding b : launch.bindings) {
    if (b.kind == Binding::Kind::kValue) {
      r.values.push_back(std::make_unique<char[]>(b.bytes));
      memcpy(r.values.back().get(), b.value, b.bytes);
      b.value = r.values.back().get();
    }
    r.bindings.push_back(b);
  }
  return r;
}

class SimDriver : public Driver {
 public:
  SimDriver() { msl::link_sim_kernels(); }

  Device device() const override { return kSimDevice; }
  std::string description() const override { return cat("simulator of ", sim::kernels().size(), " kernels"); }
  bool unified_memory() const override { return true; }

  std::unique_ptr<Memory> allocate(size_t bytes) override { return std::make_unique<SimMemory>(bytes, held_); }
  std::unique_ptr<Memory> wrap_host(void* data, size_t bytes) override {
    return std::make_unique<SimMemory>(data, bytes);
  }
  Counters counters() const override {
    ProcessMemory memory = process_memory();
    return {memory.machine_total, memory.machine_available, held_};
  }

  const Kernel& kernel(std::string_view host_name, std::span<const Constant> constants) override {
    std::lock_guard lock(mutex_);
    std::vector<std::unique_ptr<SimKernel>>& variants = kernels_[std::string(host_name)];
    for (const auto& known : variants)
      if (std::equal(constants.begin(), constants.end(), known->constants().begin(), known->constants().end()))
        return *known;
    const sim::Kernel* found = sim::find(host_name);
    if (!found) fail(ErrorKind::kArgument, name(kSimDevice), cat("no kernel ", quoted(host_name), " in this build"));
    return *variants.emplace_back(std::make_unique<SimKernel>(*found, constants));
  }
  const Kernel& user_kernel(const std::shared_ptr<const KernelText>& text, std::string_view,
                            std::span<const Constant>) override {
    fail(ErrorKind::kUnsupported, name(kSimDevice),
         cat("kernel text ", quoted(text->name), ": the simulator runs the kernels of the build only; a kernel given ",
             "at run time would need a C++ compiler there"));
  }

  void launch(const Launch& launch) override {
    std::lock_guard lock(mutex_);
    if (SimRecording* r = recording()) return void(r->steps.push_back(recorded(launch)));
    run(*launch.kernel, launch.groups, launch.threads, launch.bindings);
  }
  void copy(Slice from, Slice to, size_t bytes) override {
    std::lock_guard lock(mutex_);
    if (SimRecording* r = recording()) return void(r->steps.push_back(RecordedCopy{from, to, bytes}));
    if (bytes) memcpy(at(to), at(from), bytes);
  }
  void fill(Slice to, uint8_t value, size_t bytes) override {
    std::lock_guard lock(mutex_);
    if (SimRecording* r = recording()) return void(r->steps.push_back(RecordedFill{to, value, bytes}));
    if (bytes) memset(at(to), value, bytes);
  }
  void upload(const void* from, Slice to, size_t bytes) override {
    std::lock_guard lock(mutex_);
    refuse_recording("upload");
    if (bytes) memcpy(at(to), from, bytes);
  }
  void download(Slice from, void* to, size_t bytes) override {
    std::lock_guard lock(mutex_);
    refuse_recording("download");
    if (bytes) memcpy(to, at(from), bytes);
  }
  void synchronize() override {}

  std::unique_ptr<Event> record_event() override { return std::make_unique<SimEvent>(); }
  double seconds_between(const Event& from, const Event& to) override {
    return std::chrono::duration<double>(static_cast<const SimEvent&>(to).time -
                                         static_cast<const SimEvent&>(from).time)
        .count();
  }

  void begin_recording() override {
    std::lock_guard lock(mutex_);
    refuse_recording("begin_recording");
    recordings_[std::this_thread::get_id()] = std::make_unique<SimRecording>();
  }
  std::unique_ptr<Recording> end_recording() override {
    std::lock_guard lock(mutex_);
    auto node = recordings_.extract(std::this_thread::get_id());
    if (!node) fail(ErrorKind::kState, name(kSimDevice), "end_recording: nothing is being recorded");
    return std::move(node.mapped());
  }
  void cancel_recording() override {
    std::lock_guard lock(mutex_);
    recordings_.erase(std::this_thread::get_id());
  }
  void replay(const Recording& recorded_steps) override {
    std::lock_guard lock(mutex_);
    refuse_recording("replay");
    for (const auto& step : static_cast<const SimRecording&>(recorded_steps).steps) {
      if (auto* l = std::get_if<RecordedLaunch>(&step)) {
        run(*l->kernel, l->groups, l->threads, l->bindings);
      } else if (auto* c = std::get_if<RecordedCopy>(&step)) {
        memcpy(at(c->to), at(c->from), c->bytes);
      } else if (auto* f = std::get_if<RecordedFill>(&step)) {
        memset(at(f->to), f->value, f->bytes);
      }
    }
  }

 private:
  static void run(const Kernel& kernel, Size groups, Size threads, std::span<const Binding> bindings) {
    sim::Args args;
    for (const Binding& b : bindings) {
      switch (b.kind) {
        case Binding::Kind::kSlice:
          args.bind(b.index, b.slice.memory ? at(b.slice) : nullptr, b.bytes);
          break;
        case Binding::Kind::kValue:
          args.bind(b.index, b.value, b.bytes);
          break;
        case Binding::Kind::kThreadgroup:
          args.tg_bytes[b.index] = b.bytes;
      }
    }
    for (Constant c : static_cast<const SimKernel&>(kernel).constants()) args.fc[c.index].assign(c.value);
    sim::dispatch(kernel.signature().host_name, args, {groups.x, groups.y, groups.z},
                  {threads.x, threads.y, threads.z});
  }

  SimRecording* recording() {
    if (recordings_.empty()) return nullptr;
    auto it = recordings_.find(std::this_thread::get_id());
    return it == recordings_.end() ? nullptr : it->second.get();
  }
  void refuse_recording(const char* what) {
    if (recording()) fail(ErrorKind::kState, name(kSimDevice), cat(what, ": not while this thread records"));
  }

  std::mutex mutex_;  // one queue
  std::atomic<size_t> held_{0};
  std::map<std::string, std::vector<std::unique_ptr<SimKernel>>, std::less<>> kernels_;
  std::map<std::thread::id, std::unique_ptr<SimRecording>> recordings_;
};

}  // namespace

std::unique_ptr<Driver> make_sim_driver() { return std::make_unique<SimDriver>(); }

}  // namespace ingot::gpu
