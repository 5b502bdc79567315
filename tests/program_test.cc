// The program `ingot` from outside: answers on standard output, messages that say what to do, exit codes.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/tiny_gguf.h"

namespace ingot {
namespace {

const std::string kGolden = std::string(INGOT_SOURCE_DIR) + "/tests/golden/";

class Program : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    model_ = new std::string(testing::TempDir() + "/program_tiny.gguf");
    write_tiny_gguf(kGolden + "llama_tiny", *model_,
                    {.matrices = WeightFormat::kF32, .tokenizer = true, .context = 256});
  }
  static void TearDownTestSuite() {
    std::filesystem::remove(*model_);
    delete model_;
  }
  static std::string* model_;
};
std::string* Program::model_ = nullptr;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Program, HelpTeachesAndSucceeds) {
  for (const char* command :
       {"", "generate", "chat", "inspect", "tokenize", "logits", "op", "bench", "bench decode", "doctor"}) {
    ProgramResult r = run_program(std::string(command) + " --help");
    EXPECT_EQ(r.code, 0) << command;
    EXPECT_TRUE(contains(r.out, "--help")) << command;
  }
}

TEST_F(Program, WrongUseIsExitCodeTwo) {
  for (const char* line : {"", "frobnicate", "generate", "generate --model", "bench", "tokenize --nonsense"}) {
    ProgramResult r = run_program(line);
    EXPECT_EQ(r.code, 2) << line;
    EXPECT_FALSE(r.err.empty()) << line;
    EXPECT_TRUE(r.out.empty()) << line;
  }
}

TEST_F(Program, GeneratePrintsOnlyTheAnswer) {
  ProgramResult a = run_program("generate -m " + *model_ + " -p hello -n 12 --ignore-eos");
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(contains(a.err, "tok/s")) << a.err;
  EXPECT_TRUE(contains(a.err, "peak memory")) << a.err;
  ProgramResult b = run_program("generate -m " + *model_ + " -n 12 --ignore-eos -q", "hello");
  EXPECT_EQ(a.out, b.out);
  EXPECT_TRUE(b.err.empty()) << b.err;
  ProgramResult j = run_program("generate -m " + *model_ + " -p hello -n 12 --ignore-eos --json -q");
  nlohmann::json parsed = nlohmann::json::parse(j.out);
  EXPECT_EQ(parsed["new_tokens"], 12);
  EXPECT_EQ(parsed["text"].get<std::string>() + "\n", a.out);
}

TEST_F(Program, SameSeedSameText) {
  std::string line = "generate -m " + *model_ + " -p hi -n 20 --ignore-eos --temperature 1.5 --seed 7 -q";
  EXPECT_EQ(run_program(line).out, run_program(line).out);
  EXPECT_NE(run_program(line).out,
            run_program("generate -m " + *model_ + " -p hi -n 20 --ignore-eos --temperature 1.5 --seed 8 -q").out);
}

TEST_F(Program, RawNeedsNoTemplateAndThreadsDoNotChangeTheAnswer) {
  std::string line = "generate -m " + *model_ + " --raw -p \"Once upon\" -n 10 --ignore-eos -q --threads ";
  ProgramResult one = run_program(line + "1"), two = run_program(line + "2");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, two.out);
}

TEST_F(Program, MessagesSayWhatIsWrong) {
  struct Case {
    std::string line, expected;
  };
  std::string long_prompt(2000, 'x');
  for (const Case& c :
       {Case{"generate -m /nowhere.gguf -p x", "no such file"}, Case{"generate -m /tmp -p x", "config.json"},
        Case{"generate -m " + *model_ + " -p x --device cuda", "cuda:0"},
        Case{"generate -m " + *model_ + " -p x --device gpu9", "cpu, cuda"},
        Case{"generate -m " + *model_ + " --raw -p " + long_prompt, "context holds 256"},
        Case{"generate -m " + *model_ + " -p x --temperature -1", "temperature"},
        Case{"generate -m " + *model_ + " -p x --logit-bias 5", "ID:BIAS"},
        Case{"generate -m " + *model_ + " -p x --top-p 5", "top_p"},
        Case{"logits " + *model_ + " --ids 1,99999 --out /tmp/x.safetensors", "vocabulary"},
        Case{"op frobnicate --inputs /nowhere --out /tmp/x", "/nowhere"}, Case{"inspect /nowhere", "no such file"},
        Case{"tokenize -m /nowhere", "/nowhere"}, Case{"generate -m " + kGolden + "llama_tiny -p x", "no tokenizer"}}) {
    ProgramResult r = run_program(c.line);
    EXPECT_EQ(r.code, 1) << c.line;
    EXPECT_TRUE(contains(r.err, c.expected)) << c.line << "\n" << r.err;
    EXPECT_TRUE(r.out.empty()) << c.line;
  }
}

TEST_F(Program, UnknownArchitectureAndMissingShardAreNamed) {
  std::string dir = testing::TempDir() + "/program_broken";
  std::filesystem::create_directories(dir);
  std::ofstream(dir + "/config.json") << R"({"model_type": "mystery"})";
  ProgramResult r = run_program("generate -m " + dir + " -p x");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.err, "mystery") && contains(r.err, "llama")) << r.err;
  std::filesystem::copy_file(kGolden + "llama_tiny/config.json", dir + "/config.json",
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(dir + "/model.safetensors.index.json")
      << R"({"weight_map": {"a": "model-00001-of-00002.safetensors"}})";
  r = run_program("generate -m " + dir + " -p x");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(contains(r.err, "model-00001-of-00002.safetensors")) << r.err;
  std::filesystem::remove_all(dir);
}

TEST_F(Program, TokenizeThereAndBack) {
  ProgramResult ids = run_program("tokenize -m " + *model_ + " --json", "\"héllo\"\n\"<|im_end|>\"\n");
  EXPECT_EQ(ids.code, 0) << ids.err;
  EXPECT_TRUE(contains(ids.out, "[258]")) << ids.out;
  ProgramResult text = run_program("tokenize -m " + *model_ + " --json --decode", ids.out);
  EXPECT_EQ(text.out, "\"héllo\"\n\"<|im_end|>\"\n");
  EXPECT_EQ(run_program("tokenize -m " + *model_ + " --json", "nonsense\n").code, 1);
}

TEST_F(Program, InspectDoctorAndOp) {
  ProgramResult r = run_program("inspect " + *model_ + " --json");
  nlohmann::json j = nlohmann::json::parse(r.out);
  EXPECT_EQ(j["config"]["general.architecture"], "llama");
  EXPECT_GT(j["tensors"].size(), 20u);
  EXPECT_TRUE(contains(run_program("inspect " + kGolden + "qwen3_moe_tiny").out, "qwen3_moe"));
  r = run_program("doctor");
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(contains(r.out, "metal") && contains(r.out, "cuda") && contains(r.out, "cpu")) << r.out;
  EXPECT_NO_THROW(nlohmann::json::parse(run_program("doctor --json").out));
  EXPECT_TRUE(contains(run_program("op --list").out, "softmax(dim"));
}

TEST_F(Program, ChatKeepsTheConversation) {
  ProgramResult r =
      run_program("chat -m " + *model_ + " -n 4 --ignore-eos", "hello\n/undo\nhello\n/stats\n/nonsense\n/quit\n");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.err, "unknown command")) << r.err;
  size_t half = r.out.size() / 2;
  EXPECT_EQ(r.out.substr(0, half), r.out.substr(half)) << "after /undo the same question has the same answer";
}

TEST_F(Program, BenchReportsItsFields) {
  std::string config = testing::TempDir() + "/bench_tiny.json";
  std::ofstream(config)
      << R"({"model_type": "mixtral", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 64, "num_local_experts": 4, "num_experts_per_tok": 2, "vocab_size": 128})";
  for (const char* dtype : {"bf16", "f16", "f8e4m3", "q8_0"}) {
    ProgramResult r = run_program("bench decode --config " + config + " --random-weights --dtype " + dtype +
                                  " --tokens 4 --rounds 1 --json");
    ASSERT_EQ(r.code, 0) << r.err;
    nlohmann::json j = nlohmann::json::parse(r.out);
    for (const char* key : {"tokens_per_s", "bytes_per_token", "ceiling_gb_s", "share_of_ceiling"})
      EXPECT_TRUE(j.contains(key)) << key;
    EXPECT_GT(j["tokens_per_s"]["median"], 0);
  }
  EXPECT_EQ(run_program("bench prefill --config " + config + " --random-weights --prompt 9 --rounds 1 --json").code, 0);
  EXPECT_EQ(run_program("bench decode --config " + config).code, 1);
  std::filesystem::remove(config);
}

}  // namespace
}  // namespace ingot
