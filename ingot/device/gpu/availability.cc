#include "ingot/device/gpu/availability.h"

#include "ingot/base/error.h"

namespace ingot::gpu {

namespace {

Availability no(std::string reason, std::string advice) { return {false, std::move(reason), std::move(advice)}; }

}  // namespace

Availability explain(const MetalFacts& f) {
  if (!f.built_in) return no("this build has no Metal driver: not macOS", "use --device cpu, or cuda on Linux");
  if (f.macos_major < kOldestMacos)
    return no(cat("macOS is too old: ", f.macos_major, ".", f.macos_minor, ", needed is ", kOldestMacos, ".0"),
              "update macOS");
  if (!f.apple_silicon) return no("this Mac has no Apple silicon: Intel Macs are not supported", "use --device cpu");
  if (!f.device)
    return no("the system gives no Metal device", "run outside the sandbox, and as a user who is logged in");
  if (!f.library_error.empty())
    return no(cat("the kernels do not compile: ", f.library_error),
              "please report this, with the output of ingot doctor");
  if (!f.queue) return no("no Metal command queue could be made", "close other programs that use the GPU");
  return {true, f.description, ""};
}

Availability explain(const SimFacts& f) {
  if (f.kernels == 0) return no("this build holds no simulated kernels", "build with a C++ compiler that has fibers");
  return {true, cat("simulator: ", f.kernels, " kernels on the CPU, for tests"), ""};
}

}  // namespace ingot::gpu
