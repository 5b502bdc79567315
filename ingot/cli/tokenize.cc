// ingot tokenize: text to ids and back.
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "ingot/base/error.h"
#include "ingot/cli/command.h"
#include "ingot/models/load.h"

namespace ingot::cli {

namespace {

struct Options {
  std::string tokenizer;
  bool json = false, decode = false, special = false, pieces = false;
};

Tokenizer open(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".gguf") return Tokenizer::from_gguf(gguf_vocab(GgufFile::open(path)));
  return Tokenizer::from_directory(path);
}

nlohmann::json parse_line(const std::string& line, int64_t number) {
  nlohmann::json j = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (j.is_discarded())
    fail(ErrorKind::kFormat, cat("standard input, line ", number), cat("not valid JSON: ", ingot::quoted(line)));
  return j;
}

std::vector<int32_t> ids_of(const nlohmann::json& j, int64_t number) {
  std::vector<int32_t> ids;
  bool good = j.is_array();
  for (size_t i = 0; good && i < j.size(); i++) {
    good = j[i].is_number_integer();
    if (good) ids.push_back(j[i].get<int32_t>());
  }
  if (!good) fail(ErrorKind::kFormat, cat("standard input, line ", number), "expected a JSON list of token ids");
  return ids;
}

void print_ids(const Options& o, const Tokenizer& t, const std::vector<int32_t>& ids) {
  if (o.json) {
    puts(nlohmann::json(ids).dump().c_str());
  } else if (o.pieces) {
    for (int32_t id : ids) printf("%d\t%s\n", id, ingot::quoted(t.token_bytes(id)).c_str());
  } else {
    for (size_t i = 0; i < ids.size(); i++) printf(i ? " %d" : "%d", ids[i]);
    putchar('\n');
  }
}

int run(const Options& o) {
  Tokenizer t = open(o.tokenizer);
  EncodeOptions encode;
  encode.add_special_tokens = o.special;
  if (!o.json && !o.decode) {
    std::string text(std::istreambuf_iterator<char>(std::cin), {});
    print_ids(o, t, t.encode(text, encode));
    return kOk;
  }
  int64_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    number++;
    if (line.empty()) continue;
    if (o.decode) {
      std::string text =
          t.decode(ids_of(parse_line(o.json || line[0] == '[' ? line : "[" + line + "]", number), number));
      puts(o.json ? nlohmann::json(text).dump().c_str() : text.c_str());
    } else {
      nlohmann::json j = parse_line(line, number);
      if (!j.is_string()) fail(ErrorKind::kFormat, cat("standard input, line ", number), "expected a JSON string");
      print_ids(o, t, t.encode(j.get<std::string>(), encode));
    }
  }
  return kOk;
}

}  // namespace

void add_tokenize(CLI::App& app, Work& work) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("tokenize", "Turn text into token ids, or back");
  c->add_option("--tokenizer,-m,--model", o->tokenizer, "tokenizer.json, a model folder, or a .gguf file")->required();
  c->add_flag(
      "--json", o->json,
      "one JSON string a line on standard input, one JSON list of ids a line out (with --decode the other way)");
  c->add_flag("--decode", o->decode, "ids (a JSON list, or numbers separated by commas) to text");
  c->add_flag("--special", o->special, "add the tokens that the model wants at the start or end");
  c->add_flag("--pieces", o->pieces, "print each token with its text");
  c->footer(
      "Examples:\n  echo -n \"Hello world\" | ingot tokenize -m models/SmolLM2-135M-Instruct.Q4_1.gguf --pieces\n  "
      "echo '\"Hello\"' | "
      "ingot tokenize --tokenizer tokenizer.json --json");
  c->callback([&work, o] { work = [o] { return run(*o); }; });
}

}  // namespace ingot::cli
