// ingot-metal-check: the strict check of kernel files, and of itself on files with planted mistakes.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/msl/strict/strict_check.h"

namespace ingot::msl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsage =
    R"(usage: ingot-metal-check [--clang CLANG] -I ROOT [--suite DIR] [FILE.metal...]
  Every FILE must be good, as C++14 (Metal 3) and as C++17 (Metal 4).
  --suite: every DIR/good/*.metal and DIR/kernels/*.metal must be good, and every DIR/bad/*.metal refused: each line
  "// expect: TEXT" in it names a part of a message, each must be found, and no message may come that none of them names.
  ROOT is the folder that holds ingot/; CLANG is clang++-19 if not given.
)";

std::optional<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

std::vector<std::string> expectations(const std::string& text) {
  constexpr std::string_view kMark = "// expect: ";
  std::vector<std::string> expected;
  for (size_t at = text.find(kMark); at != text.npos; at = text.find(kMark, at + 1)) {
    const size_t begin = at + kMark.size();
    expected.push_back(text.substr(begin, text.find('\n', begin) - begin));
  }
  return expected;
}

std::vector<fs::path> metal_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".metal") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Checker {
 public:
  Checker(std::string clang, fs::path root)
      : root_(std::move(root)), tools_{std::move(clang), root_ / "ingot/msl/strict", scratch_folder()} {}
  Checker(const Checker&) = delete;
  ~Checker() {
    std::error_code ignored;
    fs::remove_all(tools_.scratch, ignored);
  }

  void good(const fs::path& file) {
    for (const char* standard : {"c++14", "c++17"}) {
      const std::vector<std::string> found = mistakes(file, standard);
      if (!found.empty()) report(cat(file.string(), " is refused as ", standard), found);
    }
    good_++;
  }

  void bad(const fs::path& file) {
    const std::vector<std::string> expected = expectations(read_file(file).value_or(""));
    const std::vector<std::string> found = mistakes(file, "c++14");
    const auto names = [](const std::string& line, const std::string& part) { return line.find(part) != line.npos; };
    bool right = !expected.empty() && !found.empty();
    for (const std::string& part : expected)
      right =
          right && std::any_of(found.begin(), found.end(), [&](const std::string& line) { return names(line, part); });
    for (const std::string& line : found) {
      if (line.find(" error: ") == line.npos) continue;
      right = right &&
              std::any_of(expected.begin(), expected.end(), [&](const std::string& part) { return names(line, part); });
    }
    if (!right)
      report(cat(file.string(), found.empty() ? " is accepted" : " is refused for other reasons than expected"), found);
    bad_++;
  }

  int finish() const {
    std::cout << "metal-check: " << good_ << " good and " << bad_ << " bad kernel files, " << wrong_
              << " of them judged wrongly\n";
    return wrong_ == 0 ? 0 : 1;
  }

 private:
  static std::string scratch_folder() {
    std::string pattern = (fs::temp_directory_path() / "ingot-metal-check-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      fail(ErrorKind::kIo, "metal-check", "cannot make a folder for intermediate files");
    return pattern;
  }

  std::vector<std::string> mistakes(const fs::path& file, std::string_view standard) {
    const std::optional<std::string> text = read_file(file);
    if (!text) fail(ErrorKind::kIo, "metal-check", cat("cannot read ", quoted(file.string(), 4096)));
    const std::string name = fs::relative(file, root_).string();
    try {
      const Module module =
          msl::read(name, *text, [this](const std::string& header) { return read_file(root_ / header); });
      return strict_check(tools_, module, standard);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kFormat) throw;
      return {error.what()};
    }
  }

  void report(const std::string& what, const std::vector<std::string>& lines) {
    std::cerr << what << "\n";
    for (const std::string& line : lines) std::cerr << "  " << line << "\n";
    wrong_++;
  }

  fs::path root_;
  StrictCheck tools_;
  int good_ = 0;
  int bad_ = 0;
  int wrong_ = 0;
};

int run(const std::vector<std::string>& arguments) {
  std::string clang = "clang++-19";
  std::string root, suite;
  std::vector<std::string> files;
  for (size_t i = 0; i < arguments.size(); i++) {
    std::string* value = arguments[i] == "--clang"   ? &clang
                         : arguments[i] == "-I"      ? &root
                         : arguments[i] == "--suite" ? &suite
                                                     : nullptr;
    if (value == nullptr) {
      files.push_back(arguments[i]);
    } else if (i + 1 < arguments.size()) {
      *value = arguments[++i];
    }
  }
  if (root.empty() || (suite.empty() && files.empty())) {
    std::cerr << kUsage;
    return 2;
  }
  Checker checker(clang, root);
  for (const std::string& file : files) checker.good(file);
  if (!suite.empty()) {
    for (const char* folder : {"good", "kernels"}) {
      for (const fs::path& file : metal_files(fs::path(suite) / folder)) checker.good(file);
    }
    for (const fs::path& file : metal_files(fs::path(suite) / "bad")) checker.bad(file);
  }
  return checker.finish();
}

}  // namespace
}  // namespace ingot::msl

int main(int argc, char** argv) {
  try {
    return ingot::msl::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
