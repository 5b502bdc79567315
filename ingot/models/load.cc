#include "ingot/models/load.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ingot/base/error.h"
#include "ingot/models/family.h"

namespace ingot {

namespace fs = std::filesystem;

std::string read_text_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(ErrorKind::kIo, path, strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

GgufVocab gguf_vocab(const GgufFile& file) {
  GgufVocab v;
  v.model = file.get<std::string>("tokenizer.ggml.model");
  v.pre = file.get_or<std::string>("tokenizer.ggml.pre", "");
  v.tokens = file.get<std::vector<std::string>>("tokenizer.ggml.tokens");
  v.merges = file.get_or<std::vector<std::string>>("tokenizer.ggml.merges", {});
  v.token_types = file.get_or<std::vector<int32_t>>("tokenizer.ggml.token_type", {});
  v.scores = file.get_or<std::vector<float>>("tokenizer.ggml.scores", {});
  v.bos = file.find<int32_t>("tokenizer.ggml.bos_token_id");
  v.eos = file.find<int32_t>("tokenizer.ggml.eos_token_id");
  v.unk = file.find<int32_t>("tokenizer.ggml.unknown_token_id");
  v.pad = file.find<int32_t>("tokenizer.ggml.padding_token_id");
  v.add_space_prefix = file.find<bool>("tokenizer.ggml.add_space_prefix");
  // Files without the key mean what llama.cpp takes for granted: a first token for SPM and for Llama 3's kind of BPE.
  const bool llama3 = v.pre == "llama-bpe" || v.pre == "llama3" || v.pre == "llama-v3" || v.pre == "lfm2";
  v.add_bos = file.get_or<bool>("tokenizer.ggml.add_bos_token", v.bos && (v.model == "llama" || llama3));
  v.add_eos = file.get_or<bool>("tokenizer.ggml.add_eos_token", false);
  return v;
}

namespace {

void finish(LanguageModel& m) {
  m.stop_ids = m.config.eos;
  m.stop_ids.insert(m.stop_ids.end(), m.sampling.eos.begin(), m.sampling.eos.end());
  if (m.tokenizer) {
    if (m.tokenizer->eos()) m.stop_ids.push_back(*m.tokenizer->eos());
    // The ends of a turn in the chat formats that models are tuned on, whatever the config says.
    for (const char* token : {"<|im_end|>", "<|eot_id|>", "<|endoftext|>"})
      if (auto id = m.tokenizer->id_of(token); id && m.tokenizer->is_added(*id)) m.stop_ids.push_back(*id);
    // Rows beyond the tokenizer's are padding and are never sampled.
    m.sampling.vocab_limit = m.tokenizer->size();
  }
  std::sort(m.stop_ids.begin(), m.stop_ids.end());
  m.stop_ids.erase(std::unique(m.stop_ids.begin(), m.stop_ids.end()), m.stop_ids.end());
  m.sampling.eos = m.stop_ids;
}

LanguageModel load_folder(const std::string& path) {
  LanguageModel m;
  m.path = path;
  m.name = fs::path(path).filename().string();
  std::string config_path = (fs::path(path) / "config.json").string();
  if (!fs::exists(config_path))
    fail(ErrorKind::kIo, path,
         "no config.json in this folder: expected a model folder in Hugging Face layout, or a .gguf file");
  JsonConfig json(read_text_file(config_path), config_path);
  const Family& family = family_of_model_type(json.text("model_type"));
  m.config = family.from_json(json);
  check_config(m.config, config_path);
  auto source = safetensors_source(SafetensorsFolder::open(path));
  m.decoder = family.build(m.config, *source);
  if (fs::exists(fs::path(path) / "tokenizer.json")) m.tokenizer = Tokenizer::from_directory(path);
  fs::path jinja = fs::path(path) / "chat_template.jinja", tokenizer_config = fs::path(path) / "tokenizer_config.json";
  if (fs::exists(jinja)) {
    m.chat_template = read_text_file(jinja.string());
  } else if (fs::exists(tokenizer_config)) {
    JsonConfig t(read_text_file(tokenizer_config.string()), tokenizer_config.string());
    if (t.has("chat_template")) m.chat_template = t.text("chat_template");
  }
  fs::path generation = fs::path(path) / "generation_config.json";
  if (fs::exists(generation)) m.sampling = sampling_from_generation_config(read_text_file(generation.string()));
  finish(m);
  return m;
}

LanguageModel load_gguf(const std::string& path) {
  LanguageModel m;
  m.path = path;
  GgufFile file = GgufFile::open(path);
  m.name = file.get_or<std::string>("general.name", fs::path(path).filename().string());
  const Family& family = family_of_gguf_arch(file.get<std::string>("general.architecture"));
  m.config = family.from_gguf(file);
  check_config(m.config, path);
  auto source = gguf_source(file, family.gguf_names());
  m.decoder = family.build(m.config, *source);
  if (file.has("tokenizer.ggml.model")) m.tokenizer = Tokenizer::from_gguf(gguf_vocab(file));
  m.chat_template = file.find<std::string>("tokenizer.chat_template");
  m.sampling.temperature = float(file.get_or<double>("general.sampling.temp", 0.0));
  m.sampling.top_k = int(file.get_or<int64_t>("general.sampling.top_k", 0));
  m.sampling.top_p = float(file.get_or<double>("general.sampling.top_p", 1.0));
  finish(m);
  return m;
}

}  // namespace

LanguageModel load_model(const std::string& path, Device device) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) fail(ErrorKind::kIo, path, "no such file or folder");
  LanguageModel m = fs::is_directory(status) ? load_folder(path) : load_gguf(path);
  m.decoder.to(device);
  return m;
}

LanguageModel random_model(const std::string& config_path, WeightFormat format, uint64_t seed, Device device) {
  LanguageModel m;
  m.path = config_path;
  m.name = fs::path(config_path).stem().string();
  JsonConfig json(read_text_file(config_path), config_path);
  const Family& family = family_of_model_type(json.text("model_type"));
  m.config = family.from_json(json);
  check_config(m.config, config_path);
  auto source = random_source(format, seed);
  m.decoder = family.build(m.config, *source);
  m.decoder.to(device);
  finish(m);
  return m;
}

}  // namespace ingot
