# Kernels: every ingot/**/*.metal is checked, translated and embedded. Called once, after the rooms and before ingot_library().
#   ingot-msl          the translator, built first since the build runs it
#   metal-check        the strict check of all kernels and of its own suites, in the C++14 and C++17 modes of Metal (clang-19)
#   generated/ingot/*  kernels.cc (texts for the run-time compilers) and the simulator's sources, part of libingot

set(INGOT_PORTABLE_HEADERS ${CMAKE_SOURCE_DIR}/ingot/msl/portable)
# What kernels may include, users' kernels too.
set(INGOT_KERNEL_HEADERS ingot/msl/erf.h ingot/msl/errors.h ingot/msl/float8.h ingot/msl/tile.h ingot/msl/wait_inputs.h)

# The translator alone: no more than base and msl, so that it is there early.
function(_ingot_translator)
  add_executable(ingot-msl ${CMAKE_SOURCE_DIR}/ingot/msl/ingot_msl_main.cc $<TARGET_OBJECTS:ingot_base> $<TARGET_OBJECTS:ingot_msl>)
  target_link_libraries(ingot-msl PRIVATE ingot_options)
  target_compile_options(ingot-msl PRIVATE -O1)
endfunction()

# The strict checker, where its parts are at hand; `metal-check` says so where they are not.
function(_ingot_strict_check kernels)
  find_program(INGOT_CLANG_19 clang++-19)
  find_package(simdjson QUIET)
  if(CMAKE_CROSSCOMPILING OR NOT INGOT_CLANG_19 OR NOT simdjson_FOUND)
    add_custom_target(metal-check COMMAND ${CMAKE_COMMAND} -E echo
                      "metal-check: SKIPPED: needs clang++-19 and simdjson (apt-get install clang-19 libsimdjson-dev), no cross build")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ingot/msl/strict/*.cc)
  add_executable(ingot-metal-check ${sources} $<TARGET_OBJECTS:ingot_base> $<TARGET_OBJECTS:ingot_msl>)
  target_link_libraries(ingot-metal-check PRIVATE ingot_options simdjson::simdjson)
  target_compile_options(ingot-metal-check PRIVATE -O1)
  set(check ingot-metal-check --clang ${INGOT_CLANG_19} -I ${CMAKE_SOURCE_DIR})
  set(commands COMMAND ${check} --suite ${CMAKE_SOURCE_DIR}/tests/msl)
  if(kernels)
    list(APPEND commands COMMAND ${check} ${kernels})
  endif()
  add_custom_target(metal-check ${commands} VERBATIM)
  if(INGOT_TESTS)
    add_test(NAME metal_check COMMAND ${check} --suite ${CMAKE_SOURCE_DIR}/tests/msl ${kernels})
    set_tests_properties(metal_check PROPERTIES TIMEOUT 600)
  endif()
endfunction()

# ingot_sim_objects(target file...): an OBJECT library of the files translated for the simulator. They are compiled without warnings,
# since strictness is metal-check's part; char is signed in Metal, but not on Arm's hosts.
function(ingot_sim_objects target)
  set(sources "")
  foreach(file ${ARGN})
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${file})
    set(out ${CMAKE_BINARY_DIR}/generated/${name}.sim.cc)
    get_filename_component(folder ${out} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${out} COMMAND ingot-msl sim ${file} -I ${CMAKE_SOURCE_DIR} -o ${out} -d ${out}.d
                       DEPENDS ${file} ingot-msl DEPFILE ${out}.d VERBATIM)
    list(APPEND sources ${out})
  endforeach()
  add_library(${target} OBJECT ${sources})
  target_link_libraries(${target} PRIVATE ingot_options)
  target_include_directories(${target} PRIVATE ${INGOT_PORTABLE_HEADERS})
  target_compile_options(${target} PRIVATE -fsigned-char -w)
endfunction()

function(ingot_kernels)
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ingot/*.metal)
  file(GLOB portable CONFIGURE_DEPENDS ${INGOT_PORTABLE_HEADERS}/*)
  list(FILTER portable EXCLUDE REGEX "(\\.cc|\\.md|_cpu[a-z_]*\\.h|/msl_sim\\.h)$")  # what NVRTC never sees
  _ingot_translator()
  _ingot_strict_check("${kernels}")
  set(embed "")
  foreach(header ${INGOT_KERNEL_HEADERS})
    list(APPEND embed --header ${header}=${CMAKE_SOURCE_DIR}/${header})
  endforeach()
  foreach(header ${portable})
    get_filename_component(name ${header} NAME)
    list(APPEND embed --header ${name}=${header})
  endforeach()
  if(kernels AND EXISTS ${INGOT_PORTABLE_HEADERS}/msl_cpu.h)
    ingot_sim_objects(ingot_sim_kernels ${kernels})
    _ingot_append(INGOT_OBJECTS ingot_sim_kernels)
    list(APPEND embed --sim)
  endif()
  set(out ${CMAKE_BINARY_DIR}/generated/ingot/kernels.cc)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/ingot)
  add_custom_command(OUTPUT ${out} COMMAND ingot-msl embed -o ${out} -d ${out}.d -I ${CMAKE_SOURCE_DIR} ${embed} ${kernels}
                     DEPENDS ingot-msl ${kernels} ${portable} DEPFILE ${out}.d VERBATIM)
  _ingot_objects(ingot_embedded_kernels SOURCES ${out})
endfunction()
