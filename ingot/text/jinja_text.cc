#include "ingot/text/jinja_text.h"

#include <utf8proc.h>

#include <algorithm>

#include "ingot/base/error.h"

namespace ingot::jinja {

namespace {

// The first range that ends after `at`.
size_t first_range_after(const Text& text, size_t at) {
  auto after = [](size_t position, const TextRange& range) { return position < range.end; };
  return std::upper_bound(text.user.begin(), text.user.end(), at, after) - text.user.begin();
}

utf8proc_category_t category(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }
bool is_invalid_byte(char32_t c) { return c >= 0xDC80 && c <= 0xDCFF; }

}  // namespace

bool Text::is_user(size_t at) const {
  size_t i = first_range_after(*this, at);
  return i < user.size() && user[i].begin <= at;
}

void TextBuilder::mark(size_t begin, size_t end) {
  if (begin == end) return;
  std::vector<TextRange>& ranges = text_.user;
  if (!ranges.empty() && ranges.back().end == begin) {
    ranges.back().end = end;
  } else {
    ranges.push_back({begin, end});
  }
}

void TextBuilder::make_room(size_t more) {
  if (more > kMaxText - text_.bytes.size()) {
    fail(ErrorKind::kFormat, "chat template", cat("a text grows beyond ", kMaxText, " bytes"));
  }
}

void TextBuilder::append(std::string_view bytes, bool is_user) {
  make_room(bytes.size());
  size_t start = text_.bytes.size();
  text_.bytes += bytes;
  if (is_user) mark(start, text_.bytes.size());
}

void TextBuilder::append(const Text& text, size_t begin, size_t end) {
  make_room(end - begin);
  size_t start = text_.bytes.size();
  text_.bytes.append(text.bytes, begin, end - begin);
  for (size_t i = first_range_after(text, begin); i < text.user.size() && text.user[i].begin < end; i++) {
    mark(start + std::max(text.user[i].begin, begin) - begin, start + std::min(text.user[i].end, end) - begin);
  }
}

void TextBuilder::append_repeated(const Text& text, int64_t times) {
  if (times <= 0 || text.bytes.empty()) return;
  // The whole size is checked first, so that a huge count fails at once.
  make_room(static_cast<uint64_t>(times) > kMaxText / text.bytes.size() ? kMaxText + 1 : text.bytes.size() * times);
  if (text.bytes.size() == 1) return append(std::string(times, text.bytes[0]), !text.user.empty());
  for (int64_t i = 0; i < times; i++) append(text);
}

Text slice(const Text& text, size_t begin, size_t end) {
  TextBuilder builder;
  builder.append(text, begin, std::max(begin, end));
  return builder.take();
}

Character character_at(std::string_view s, size_t at) {
  unsigned char c = s[at];
  if (c < 0x80) return {c, 1};
  size_t length = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  if (length == 0 || at + length > s.size()) return {0xDC00u + c, 1};
  char32_t code = c & (0x7Fu >> length);
  for (size_t k = 1; k < length; k++) {
    unsigned char next = s[at + k];
    if ((next & 0xC0) != 0x80) return {0xDC00u + c, 1};
    code = code << 6 | (next & 0x3F);
  }
  bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {0xDC00u + c, 1};
  return {code, length};
}

void append_utf8(std::string& out, char32_t code) {
  if (is_invalid_byte(code)) {
    out += static_cast<char>(code - 0xDC00);
  } else if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  } else if (code < 0x10000) {
    out += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
  } else {
    out += {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
            static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
  }
}

bool is_valid_utf8(std::string_view s) {
  for (size_t i = 0; i < s.size();) {
    Character c = character_at(s, i);
    if (is_invalid_byte(c.code)) return false;
    i += c.length;
  }
  return true;
}

size_t count_characters(std::string_view s) {
  size_t count = 0;
  for (size_t i = 0; i < s.size(); count++) i += character_at(s, i).length;
  return count;
}

size_t character_offset(std::string_view s, size_t index) {
  size_t i = 0;
  for (; index > 0 && i < s.size(); index--) i += character_at(s, i).length;
  return i;
}

bool is_space(char32_t c) {
  if (c < 0x80) return (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x20);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_printable(char32_t c) {
  if (c < 0x7F) return c >= 0x20;
  if (is_invalid_byte(c)) return false;
  switch (category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
      return false;
    default:
      return true;
  }
}

bool is_letter(char32_t c) {
  utf8proc_category_t k = category(c);
  return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO;
}
bool is_digit(char32_t c) { return category(c) == UTF8PROC_CATEGORY_ND; }
bool is_upper_case(char32_t c) { return category(c) == UTF8PROC_CATEGORY_LU; }
bool is_lower_case(char32_t c) { return category(c) == UTF8PROC_CATEGORY_LL; }

bool is_all_cased(std::string_view s, bool upper) {
  bool any = false;
  for (size_t i = 0; i < s.size();) {
    Character c = character_at(s, i);
    if (upper ? is_lower_case(c.code) : is_upper_case(c.code)) return false;
    any |= upper ? is_upper_case(c.code) : is_lower_case(c.code);
    i += c.length;
  }
  return any;
}

Trimmed strip(std::string_view s, const std::string* set, bool left, bool right) {
  std::u32string wanted;
  if (set) {
    for (size_t i = 0; i < set->size();) {
      Character c = character_at(*set, i);
      wanted += c.code;
      i += c.length;
    }
  }
  auto goes = [&](char32_t c) { return set ? wanted.find(c) != wanted.npos : is_space(c); };
  size_t begin = 0, end = s.size();
  while (left && begin < end) {
    Character c = character_at(s, begin);
    if (!goes(c.code)) break;
    begin += c.length;
  }
  while (right && begin < end) {
    // The start of the last character: at most three continuation bytes back, if what starts there ends exactly here.
    size_t at = end - 1;
    for (size_t back = 1; back <= 4 && back <= end - begin; back++) {
      if (character_at(s.substr(0, end), end - back).length == back) at = end - back;
    }
    if (!goes(character_at(s.substr(0, end), at).code)) break;
    end = at;
  }
  return {begin, end};
}

std::vector<Line> split_lines(std::string_view s) {
  std::vector<Line> lines;
  size_t begin = 0;
  for (size_t i = 0; i < s.size();) {
    Character c = character_at(s, i);
    size_t next = i + c.length;
    bool ends = (c.code >= 0x0A && c.code <= 0x0D) || (c.code >= 0x1C && c.code <= 0x1E) || c.code == 0x85 ||
                c.code == 0x2028 || c.code == 0x2029;
    if (ends) {
      if (c.code == '\r' && next < s.size() && s[next] == '\n') next++;
      lines.push_back({begin, i, next});
      begin = next;
    }
    i = next;
  }
  if (begin < s.size()) lines.push_back({begin, s.size(), s.size()});
  return lines;
}

namespace {

void append_upper(std::string& out, char32_t c) {
  switch (c) {
    case 0xDF:
      out += "SS";
      return;
    case 0xFB00:
      out += "FF";
      return;
    case 0xFB01:
      out += "FI";
      return;
    case 0xFB02:
      out += "FL";
      return;
    case 0xFB03:
      out += "FFI";
      return;
    case 0xFB04:
      out += "FFL";
      return;
    case 0xFB05:
    case 0xFB06:
      out += "ST";
      return;
    default:
      append_utf8(out, utf8proc_toupper(static_cast<utf8proc_int32_t>(c)));
  }
}

}  // namespace

Text change_case(const Text& text, size_t begin, size_t end, Case how) {
  TextBuilder out;
  bool after_cased = false;
  std::string mapped;
  for (size_t i = begin; i < end;) {
    Character c = character_at(text.bytes, i);
    bool first = how == Case::kCapitalize ? i == begin : !after_cased;
    bool titles = how == Case::kCapitalize || how == Case::kTitle;
    mapped.clear();
    if (is_invalid_byte(c.code)) {
      append_utf8(mapped, c.code);
    } else if (how == Case::kUpper || (how == Case::kSwap && is_lower_case(c.code))) {
      append_upper(mapped, c.code);
    } else if (titles && first) {
      if (c.code == 0xDF) {
        mapped = "Ss";
      } else {
        append_utf8(mapped, utf8proc_totitle(static_cast<utf8proc_int32_t>(c.code)));
      }
    } else if (how == Case::kSwap && !is_upper_case(c.code)) {
      append_utf8(mapped, c.code);
    } else {
      append_utf8(mapped, utf8proc_tolower(static_cast<utf8proc_int32_t>(c.code)));
    }
    out.append(mapped, text.is_user(i));
    after_cased = is_upper_case(c.code) || is_lower_case(c.code) || category(c.code) == UTF8PROC_CATEGORY_LT;
    i += c.length;
  }
  return out.take();
}

}  // namespace ingot::jinja
