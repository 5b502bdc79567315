// ingot inspect: what is in a model file or folder.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "ingot/base/error.h"
#include "ingot/cli/command.h"
#include "ingot/io/gguf.h"
#include "ingot/io/safetensors_folder.h"
#include "ingot/models/load.h"

namespace ingot::cli {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

struct Options {
  std::string path;
  bool json = false, tensors = true, show_template = false;
};

struct Row {
  std::string name, type;
  std::vector<int64_t> shape;
  uint64_t bytes;
};

Json value_json(const GgufFile& file, const std::string& key) {
  const GgufValue& v = *file.find_value(key);
  if (v.is_array() && v.count() > 8) return cat(v.type_name(), " of ", v.count());
  auto scalar = [&](const GgufValue& x) -> Json {
    switch (x.type()) {
      case GgufType::kString:
        return x.as<std::string>(file.label(), key);
      case GgufType::kBool:
        return x.as<bool>(file.label(), key);
      case GgufType::kF32:
      case GgufType::kF64:
        return x.as<double>(file.label(), key);
      case GgufType::kU64:
        return x.as<uint64_t>(file.label(), key);
      case GgufType::kArray:
        return x.type_name();
      default:
        return x.as<int64_t>(file.label(), key);
    }
  };
  if (!v.is_array()) return scalar(v);
  Json list = Json::array();
  for (const GgufValue& x : v.elements()) list.push_back(scalar(x));
  return list;
}

std::string dump(const Json& j, int indent = -1) { return j.dump(indent, ' ', false, Json::error_handler_t::replace); }

void print(const Options& o, const std::string& kind, const Json& config, const std::vector<Row>& rows,
           const std::string& chat) {
  uint64_t total = 0;
  std::map<std::string, std::pair<int64_t, uint64_t>> by_type;
  for (const Row& r : rows) {
    total += r.bytes;
    by_type[r.type].first++;
    by_type[r.type].second += r.bytes;
  }
  if (o.json) {
    Json j = {{"path", o.path}, {"kind", kind}, {"config", config}, {"total_bytes", total}, {"tensors", Json::array()}};
    for (const Row& r : rows)
      j["tensors"].push_back({{"name", r.name}, {"type", r.type}, {"shape", r.shape}, {"bytes", r.bytes}});
    if (!chat.empty()) j["chat_template"] = chat;
    puts(dump(j).c_str());
    return;
  }
  printf("%s: %s, %zu tensors, %s\n", o.path.c_str(), kind.c_str(), rows.size(), human_bytes(double(total)).c_str());
  for (const auto& [type, n] : by_type)
    printf("  %-8s %6lld tensors  %s\n", type.c_str(), (long long)n.first, human_bytes(double(n.second)).c_str());
  puts("config:");
  for (const auto& [key, value] : config.items()) {
    if (key == "tokenizer.chat_template") continue;
    std::string text = dump(value);
    printf("  %s = %s\n", key.c_str(), text.size() > 200 ? (text.substr(0, 200) + "...").c_str() : text.c_str());
  }
  puts("tensors:");
  for (const Row& r : rows)
    printf("  %-56s %-7s %-20s %s\n", ingot::quoted(r.name, 200).c_str(), r.type.c_str(),
           cat(std::span<const int64_t>(r.shape)).c_str(), human_bytes(double(r.bytes)).c_str());
  if (chat.empty()) {
    puts("chat template: none");
  } else if (o.show_template) {
    printf("chat template:\n%s\n", chat.c_str());
  } else {
    printf("chat template: %zu bytes (--template prints it)\n", chat.size());
  }
}

void inspect_gguf(const Options& o) {
  GgufFile file = GgufFile::open(o.path);
  Json config = Json::object();
  for (const std::string& key : file.keys()) config[key] = value_json(file, key);
  std::vector<Row> rows;
  for (const GgufTensor& t : file.tensors())
    rows.push_back({t.name, t.format ? std::string(name(*t.format)) : cat("type ", t.ggml_type), t.shape, t.nbytes});
  print(o, cat("GGUF v", file.version()), config, rows, file.get_or<std::string>("tokenizer.chat_template", ""));
}

std::vector<Row> rows_of(const std::vector<SafetensorsTensor>& tensors) {
  std::vector<Row> rows;
  for (const SafetensorsTensor& t : tensors) rows.push_back({t.name, t.dtype_name, t.shape, t.nbytes});
  return rows;
}

void inspect_folder(const Options& o) {
  SafetensorsFolder folder = SafetensorsFolder::open(o.path);
  std::vector<Row> rows;
  for (const std::string& n : folder.names()) {
    const SafetensorsTensor& t = folder.get(n);
    rows.push_back({t.name, t.dtype_name, t.shape, t.nbytes});
  }
  Json config = Json::object();
  std::string chat;
  auto read = [&](const char* file) -> Json {
    fs::path p = fs::path(o.path) / file;
    if (!fs::exists(p)) return Json::object();
    Json j = Json::parse(read_text_file(p.string()), nullptr, false);
    if (j.is_discarded()) fail(ErrorKind::kFormat, p.string(), "not valid JSON");
    return j;
  };
  config = read("config.json");
  Json tokenizer = read("tokenizer_config.json");
  if (tokenizer.contains("chat_template") && tokenizer["chat_template"].is_string())
    chat = tokenizer["chat_template"].get<std::string>();
  if (fs::exists(fs::path(o.path) / "chat_template.jinja"))
    chat = read_text_file((fs::path(o.path) / "chat_template.jinja").string());
  print(o, cat("safetensors folder, ", folder.files().size(), " file(s)"), config, rows, chat);
}

int run(const Options& o) {
  if (!fs::exists(o.path)) fail(ErrorKind::kIo, o.path, "no such file or folder");
  if (fs::is_directory(o.path)) {
    inspect_folder(o);
  } else if (fs::path(o.path).extension() == ".safetensors") {
    SafetensorsFile file = SafetensorsFile::open(o.path);
    Json metadata = Json::object();
    for (const auto& [key, value] : file.metadata()) metadata[key] = value;
    print(o, "safetensors", metadata, rows_of(file.tensors()), "");
  } else {
    inspect_gguf(o);
  }
  return kOk;
}

}  // namespace

void add_inspect(CLI::App& app, Work& work) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand(
      "inspect", "Show what a model file or folder holds: tensors, dtypes, sizes, config, chat template");
  c->add_option("path", o->path, ".safetensors or .gguf file, or model folder")->required();
  c->add_flag("--template", o->show_template, "print the chat template");
  c->add_flag("--json", o->json, "one JSON object");
  c->footer("Example:\n  ingot inspect models/SmolLM2-135M-Instruct.Q4_1.gguf");
  c->callback([&work, o] { work = [o] { return run(*o); }; });
}

}  // namespace ingot::cli
