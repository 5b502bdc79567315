// The driver of device `sim`: kernels run in the simulator (ingot/device/sim/sim.h), on the CPU's memory.
//
// Every call is done when it returns, so a mistake that the simulator finds comes out of launch(), as the simulator
// words it (kState, or kArgument for arguments). Each Memory is a heap block of exactly its size: sanitizers see
// accesses beyond it. Users' kernels are an Error kUnsupported, since they would need a C++ compiler at run time.
#pragma once
#include <memory>

#include "ingot/device/gpu/driver.h"

namespace ingot::gpu {

std::unique_ptr<Driver> make_sim_driver();

}  // namespace ingot::gpu
