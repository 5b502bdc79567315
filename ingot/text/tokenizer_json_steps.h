// The parts of tokenizer.json that are chains of steps, each an object with a "type". Types and options that are not
// known are an Error (kUnsupported) that names them.
#pragma once
#include <cstdint>
#include <vector>

#include "ingot/text/pretokenize.h"
#include "ingot/text/tokenizer_decode.h"
#include "ingot/text/tokenizer_json_value.h"
#include "ingot/text/tokenizer_normalize.h"

namespace ingot::tok {

Normalizer read_normalizer(const JsonValue& value);

struct PreTokenizerParts {
  PreTokenizer steps;
  bool byte_level = false;  // ends with ByteLevel: the model gets bytes
};
PreTokenizerParts read_pre_tokenizer(const JsonValue& value);

Decoder read_decoder(const JsonValue& value);

// Ids that the post-processor puts before and after a single text.
struct PostProcessorParts {
  std::vector<int32_t> before, after;
};
PostProcessorParts read_post_processor(const JsonValue& value);

}  // namespace ingot::tok
