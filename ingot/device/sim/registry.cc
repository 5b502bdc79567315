// The kernels of this process: their registrars' constructors and destructors, and the look-up.
#include <map>
#include <mutex>
#include <string>

#include "ingot/device/sim/sim.h"

namespace ingot::sim {

namespace {

struct Registry {
  std::mutex mutex;
  std::multimap<std::string, const Kernel*, std::less<>> kernels;
};
Registry& registry() {
  static Registry instance;  // complete before the first registrar is, so it outlives them all
  return instance;
}

}  // namespace

const Kernel* find(std::string_view name) {
  Registry& r = registry();
  std::lock_guard lock(r.mutex);
  auto it = r.kernels.find(name);
  return it == r.kernels.end() ? nullptr : it->second;
}

std::vector<const Kernel*> kernels() {
  Registry& r = registry();
  std::lock_guard lock(r.mutex);
  std::vector<const Kernel*> all;
  for (auto& [name, kernel] : r.kernels) all.push_back(kernel);
  return all;
}

}  // namespace ingot::sim

namespace msl_sim {

Register::Register(const char* host_name, Call call_thread, SetConstants set, uint32_t most_threads, const Param* table,
                   int table_size)
    : name(host_name),
      call(call_thread),
      set_constants(set),
      max_threads(most_threads),
      params(table),
      param_count(table_size) {
  auto& r = ingot::sim::registry();
  std::lock_guard lock(r.mutex);
  r.kernels.emplace(name, this);
}

Register::~Register() {  // kernels made at run time go away again
  auto& r = ingot::sim::registry();
  std::lock_guard lock(r.mutex);
  for (auto it = r.kernels.find(name); it != r.kernels.end() && it->first == name; ++it) {
    if (it->second == this) {
      r.kernels.erase(it);
      return;
    }
  }
}

}  // namespace msl_sim
