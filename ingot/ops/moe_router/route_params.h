// What the router's kernel is given. Read by C++ and by the kernel.
#pragma once
#ifndef __METAL_VERSION__
#include <cstdint>
#endif

struct RouteParams {
  int64_t tokens;
  int experts, top_k;
  int renormalise;
  float epsilon, scale;
  int reserved;
};
