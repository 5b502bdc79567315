#include "ingot/text/tokenizer_unicode.h"

#include <utf8proc.h>

namespace ingot::tok {

namespace {
bool within(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }
}  // namespace

Utf8Step utf8_step(std::string_view bytes) {
  auto at = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  unsigned first = at(0);
  if (first < 0x80) return {Utf8Kind::kCharacter, 1};
  // The second byte's range depends on the first (Unicode, table 3-7); later ones are 80..BF.
  unsigned low = 0x80, high = 0xBF;
  size_t length = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return {Utf8Kind::kIllFormed, 1};
  }
  for (size_t i = 1; i < length; i++) {
    if (i == bytes.size()) return {Utf8Kind::kCutOff, i};
    if (at(i) < low || at(i) > high) return {Utf8Kind::kIllFormed, i};
    low = 0x80, high = 0xBF;
  }
  return {Utf8Kind::kCharacter, length};
}

size_t valid_prefix(std::string_view bytes) {
  size_t at = 0;
  while (at < bytes.size()) {
    if (static_cast<unsigned char>(bytes[at]) < 0x80) {
      at++;
      continue;
    }
    Utf8Step step = utf8_step(bytes.substr(at));
    if (step.kind != Utf8Kind::kCharacter) break;
    at += step.length;
  }
  return at;
}

Character character_at(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  char32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xE0) return {(first & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if (first < 0xF0) return {(first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {(first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4};
}

size_t character_start_before(std::string_view text, size_t at) {
  do at--;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

void append_utf8(std::string& out, char32_t code) {
  auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

bool is_white_space(char32_t c) {
  return within(c, 0x09, 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 || within(c, 0x2000, 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_number(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return true;
    default:
      return false;
  }
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return within(c, 0x21, 0x2F) || within(c, 0x3A, 0x40) || within(c, 0x5B, 0x60) || within(c, 0x7B, 0x7E);
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
      return true;
    default:
      return false;
  }
}

bool is_word(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    // Alphabetic symbols: the circled and squared letters.
    case UTF8PROC_CATEGORY_SO:
      return within(c, 0x24B6, 0x24E9) || within(c, 0x1F130, 0x1F149) || within(c, 0x1F150, 0x1F169) ||
             within(c, 0x1F170, 0x1F189);
    default:
      return c == 0x200C || c == 0x200D;
  }
}

}  // namespace ingot::tok
