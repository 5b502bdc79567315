// Not readable: a header that is not there.
// expect: not found
#include <metal_stdlib>
using namespace metal;
#include "no_such_header.h"
