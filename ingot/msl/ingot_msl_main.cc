// ingot-msl: the kernel translator as a program.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "ingot/base/error.h"
#include "ingot/msl/embed.h"
#include "ingot/msl/msl.h"

namespace ingot::msl {
namespace {

constexpr const char* kUsage =
    R"(usage: ingot-msl check|metal|strict|sim|cuda|json FILE [-o OUT] [-I DIR]... [-d DEPFILE]
       ingot-msl embed -o OUT.cc [-I DIR]... [-d DEPFILE] [--sim] [--header NAME=FILE]... FILE.metal...
  check   mistakes against the dialect, one a line (the strict check, metal-check, finds those that need types)
  metal   the text for Apple's compiler       strict  the text for the strict check
  sim     C++ for the simulator               cuda    the text for NVRTC
  json    signatures of the kernels           embed   texts and signatures of many files as a C++ source
Files go by their path below the first -I folder that holds them. Exit status: 1 for mistakes in a kernel, 2 for misuse.
)";

struct Options {
  std::string command;
  std::vector<std::string> files;
  std::vector<EmbeddedText> headers;  // the text is the file's path until it is read
  std::vector<std::string> folders;
  std::string output;
  std::string depfile;
  bool with_sim = false;
};

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return std::nullopt;
  return text;
}

std::string must_read(const std::string& path) {
  std::optional<std::string> text = read_file(path);
  if (!text) fail(ErrorKind::kIo, "ingot-msl", cat("cannot read ", quoted(path, 4096)));
  return *text;
}

// Left alone where nothing changes, so that what depends on it is not built again.
void write_file(const std::string& path, const std::string& text) {
  if (path.empty()) {
    std::cout << text;
    return;
  }
  if (read_file(path) == text) return;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) fail(ErrorKind::kIo, "ingot-msl", cat("cannot write ", quoted(path, 4096)));
}

// Reads kernels and headers and remembers what was read.
class Reader {
 public:
  explicit Reader(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  Module module(const std::string& path) {
    files_.insert(path);
    const IncludeReader includes = [this](const std::string& header) { return include(header); };
    return msl::read(name_of(path), must_read(path), includes);
  }

  std::string header(const std::string& path) {
    files_.insert(path);
    return must_read(path);
  }

  std::string depfile(const std::string& output) const {
    std::string text = output + ":";
    for (const std::string& file : files_) text += " \\\n  " + file;
    return text + "\n";
  }

 private:
  std::string name_of(const std::string& path) const {
    for (const std::string& folder : folders_) {
      if (path.starts_with(folder + "/")) return path.substr(folder.size() + 1);
    }
    return path;
  }

  std::optional<std::string> include(const std::string& header) {
    for (const std::string& folder : folders_) {
      std::optional<std::string> text = read_file(folder + "/" + header);
      if (!text) continue;
      files_.insert(folder + "/" + header);
      return text;
    }
    std::optional<std::string> text = read_file(header);
    if (text) files_.insert(header);
    return text;
  }

  std::vector<std::string> folders_;
  std::set<std::string> files_;
};

std::optional<Options> parse_arguments(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return std::nullopt;
  Options options;
  options.command = arguments[0];
  for (size_t i = 1; i < arguments.size(); i++) {
    const std::string& argument = arguments[i];
    const bool takes_value = argument == "-o" || argument == "-I" || argument == "-d" || argument == "--header";
    if (takes_value && i + 1 == arguments.size()) return std::nullopt;
    if (argument == "-o") {
      options.output = arguments[++i];
    } else if (argument == "-I") {
      options.folders.push_back(arguments[++i]);
    } else if (argument == "-d") {
      options.depfile = arguments[++i];
    } else if (argument == "--header") {
      const std::string& given = arguments[++i];
      const size_t equals = given.find('=');
      if (equals == given.npos) return std::nullopt;
      options.headers.push_back({given.substr(0, equals), given.substr(equals + 1)});
    } else if (argument == "--sim") {
      options.with_sim = true;
    } else if (argument.starts_with("-")) {
      return std::nullopt;
    } else {
      options.files.push_back(argument);
    }
  }
  if (options.command != "embed" && options.files.size() != 1) return std::nullopt;
  return options;
}

// Nothing is written from a kernel that breaks a rule of the house.
bool is_clean(const Module& module) {
  const std::vector<Diagnostic> found = check(module);
  std::cerr << to_text(found);
  return found.empty();
}

int run(const Options& options) {
  Reader reader(options.folders);
  std::vector<Module> modules;
  bool clean = true;
  for (const std::string& file : options.files) {
    modules.push_back(reader.module(file));
    clean = is_clean(modules.back()) && clean;
  }
  if (!clean) return 1;
  std::string text;
  if (options.command == "embed") {
    std::vector<EmbeddedText> headers;
    for (const EmbeddedText& header : options.headers) headers.push_back({header.name, reader.header(header.text)});
    text = embed(modules, headers, options.with_sim);
  } else if (options.command == "metal") {
    text = emit_metal(modules[0]);
  } else if (options.command == "strict") {
    text = emit_strict(modules[0]);
  } else if (options.command == "sim") {
    text = emit_sim(modules[0]);
  } else if (options.command == "cuda") {
    text = emit_cuda(modules[0]);
  } else if (options.command == "json") {
    text = to_json(signatures(modules[0]));
  } else if (options.command != "check") {
    std::cerr << kUsage;
    return 2;
  }
  if (options.command != "check") write_file(options.output, text);
  if (!options.depfile.empty()) write_file(options.depfile, reader.depfile(options.output));
  return 0;
}

}  // namespace
}  // namespace ingot::msl

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::optional<ingot::msl::Options> options = ingot::msl::parse_arguments(arguments);
  if (!options) {
    std::cerr << ingot::msl::kUsage;
    return 2;
  }
  try {
    return ingot::msl::run(*options);
  } catch (const ingot::Error& error) {
    std::cerr << error.what() << "\n";
    return error.kind() == ingot::ErrorKind::kFormat ? 1 : 2;
  }
}
