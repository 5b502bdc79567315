#include <iostream>

#include "ingot/ops/softmax/softmax.h"

int main() {
  ingot::Tensor x = ingot::tensor_of<float>({1, 2, 3, 1, 1, 1}, {2, 3});
  std::cout << ingot::to_string(ingot::softmax(x, -1)) << "\n";
}
