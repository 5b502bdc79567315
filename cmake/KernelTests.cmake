# Kernels that only tests need: tests/msl/kernels/*.metal, translated for the simulator. They are linked into the test programs
# of the layers named and are no part of libingot. Call after ingot_kernels() and before ingot_tests().
function(ingot_test_kernels)
  file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/msl/kernels/*.metal)
  ingot_sim_objects(ingot_test_kernels ${kernels})
  target_compile_options(ingot_test_kernels PRIVATE -O1)
  foreach(layer ${ARGN})
    _ingot_append(INGOT_TESTS_${layer} $<TARGET_OBJECTS:ingot_test_kernels>)
  endforeach()
endfunction()
