// Running the built `ingot` as a person would.
#pragma once
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace ingot {

struct ProgramResult {
  int code;
  std::string out, err;
};

inline ProgramResult run_program(const std::string& arguments, const std::string& input = "",
                                 const std::string& environment = "") {
  static int serial = 0;
  std::string base = testing::TempDir() + "/ingot_run_" + std::to_string(getpid()) + "_" + std::to_string(serial++);
  std::ofstream(base + ".in", std::ios::binary) << input;
  std::string command = environment + " " + std::string(INGOT_PROGRAM) + " " + arguments + " <" + base + ".in >" +
                        base + ".out 2>" + base + ".err";
  int status = std::system(command.c_str());
  auto slurp = [](const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  ProgramResult r{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), slurp(base + ".out"),
                  slurp(base + ".err")};
  for (const char* end : {".in", ".out", ".err"}) std::remove((base + end).c_str());
  return r;
}

}  // namespace ingot
