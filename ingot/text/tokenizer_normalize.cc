#include "ingot/text/tokenizer_normalize.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace ingot::tok {

namespace {

// What stands between two marked characters counts as marked.
bool any_marked(const MarkedText& text, size_t begin, size_t end) {
  if (begin == end) {
    begin -= begin > 0;
    end += end < text.marks.size();
  }
  return std::string_view(text.marks).substr(begin, end - begin).find('\1') != std::string_view::npos;
}

// Text that replaces [begin, end) of `from`.
void append_made(MarkedText& to, std::string_view made, const MarkedText& from, size_t begin, size_t end) {
  to.bytes += made;
  if (!from.marks.empty()) to.marks.append(made.size(), any_marked(from, begin, end) ? '\1' : '\0');
}

// The composition of Unicode text, cluster by cluster: a cluster ends before a character that nothing before it can
// change.
class UnicodeNormalizer {
 public:
  explicit UnicodeNormalizer(UnicodeForm form) {
    bool compatible = form == UnicodeForm::kNfkc || form == UnicodeForm::kNfkd;
    compose_ = form == UnicodeForm::kNfc || form == UnicodeForm::kNfkc;
    options_ = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | (compatible ? UTF8PROC_COMPAT : 0);
    // Below these, a character that stands alone is already in its form.
    simple_below_ = form == UnicodeForm::kNfc ? 0x300 : compatible ? 0xA0 : 0xC0;
  }

  void operator()(MarkedText& text) const {
    auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(text.bytes.begin(), text.bytes.end(), ascii)) return;
    MarkedText out;
    out.bytes.reserve(text.bytes.size());
    std::vector<utf8proc_int32_t> buffer;
    std::string made;
    size_t begin = 0;
    while (begin < text.bytes.size()) {
      Character first = character_at(text.bytes, begin);
      size_t end = begin + first.length;
      size_t count = 1;
      while (end < text.bytes.size()) {
        Character c = character_at(text.bytes, end);
        if (starts_cluster(c.code)) break;
        end += c.length;
        count++;
      }
      if (count == 1 && is_simple(first.code)) {
        append_range(out, text, begin, end);
      } else {
        rewrite(std::string_view(text.bytes).substr(begin, end - begin), buffer, made);
        append_made(out, made, text, begin, end);
      }
      begin = end;
    }
    text = std::move(out);
  }

 private:
  static bool starts_cluster(char32_t c) {
    if (c < 0x300) return true;
    if (c >= 0xAC00 && c <= 0xD7A3) return true;        // Hangul syllables
    if (c >= 0x1100 && c <= 0x11FF) return c < 0x1160;  // of the letters, only the leading consonants
    const utf8proc_property_t* p = utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
    return p->combining_class == 0 && p->comb_index == UINT16_MAX && p->decomp_seqindex == UINT16_MAX;
  }
  bool is_simple(char32_t c) const {
    if (c < simple_below_) return true;
    if (c >= 0xAC00 && c <= 0xD7A3) return compose_;
    return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->decomp_seqindex == UINT16_MAX;
  }

  void rewrite(std::string_view cluster, std::vector<utf8proc_int32_t>& buffer, std::string& made) const {
    buffer.clear();
    int boundary_class = 0;
    for (size_t i = 0; i < cluster.size();) {
      Character c = character_at(cluster, i);
      std::array<utf8proc_int32_t, 32> parts;
      auto n = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c.code), parts.data(), parts.size(),
                                       static_cast<utf8proc_option_t>(options_), &boundary_class);
      if (n < 0 || n > static_cast<utf8proc_ssize_t>(parts.size())) {
        buffer.push_back(static_cast<utf8proc_int32_t>(c.code));
      } else {
        buffer.insert(buffer.end(), parts.begin(), parts.begin() + n);
      }
      i += c.length;
    }
    sort_marks(buffer);
    auto n = static_cast<utf8proc_ssize_t>(buffer.size());
    if (compose_)
      n = utf8proc_normalize_utf32(buffer.data(), n,
                                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    made.clear();
    for (utf8proc_ssize_t i = 0; i < n; i++) append_utf8(made, static_cast<char32_t>(buffer[static_cast<size_t>(i)]));
  }

  // Canonical order. A stable sort, so that a million marks on one letter do not take a million squared steps.
  static void sort_marks(std::vector<utf8proc_int32_t>& text) {
    auto rank = [](utf8proc_int32_t c) { return utf8proc_get_property(c)->combining_class; };
    auto is_mark = [&](utf8proc_int32_t c) { return rank(c) != 0; };
    for (auto it = text.begin(); it != text.end();) {
      it = std::find_if(it, text.end(), is_mark);
      auto end = std::find_if_not(it, text.end(), is_mark);
      std::stable_sort(it, end, [&](auto a, auto b) { return rank(a) < rank(b); });
      it = end;
    }
  }

  bool compose_;
  int options_;
  char32_t simple_below_;
};

}  // namespace

void append_range(MarkedText& to, const MarkedText& from, size_t begin, size_t end) {
  to.bytes.append(from.bytes, begin, end - begin);
  if (!from.marks.empty()) to.marks.append(from.marks, begin, end - begin);
}

Normalizer normalize_unicode(UnicodeForm form) { return UnicodeNormalizer(form); }

Normalizer normalize_lowercase() {
  return [](MarkedText& text) {
    MarkedText out;
    std::string made;
    for (size_t i = 0; i < text.bytes.size();) {
      Character c = character_at(text.bytes, i);
      made.clear();
      append_utf8(made, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c.code))));
      if (c.code == 0x130) made = "i\xCC\x87";  // the one character whose lower case is two
      append_made(out, made, text, i, i + c.length);
      i += c.length;
    }
    text = std::move(out);
  };
}

Normalizer normalize_replace(Pattern pattern, std::string content) {
  return [pattern = std::move(pattern), content = std::move(content)](MarkedText& text) {
    MarkedText out;
    size_t last = 0;
    bool found = false;
    each_match(pattern, text.bytes, [&](size_t begin, size_t end) {
      found = true;
      append_range(out, text, last, begin);
      append_made(out, content, text, begin, end);
      last = end;
    });
    if (!found) return;
    append_range(out, text, last, text.bytes.size());
    text = std::move(out);
  };
}

Normalizer normalize_prepend(std::string prefix) {
  return [prefix = std::move(prefix)](MarkedText& text) {
    if (text.bytes.empty()) return;
    text.bytes.insert(0, prefix);
    if (!text.marks.empty()) text.marks.insert(0, prefix.size(), '\0');
  };
}

Normalizer normalize_strip(bool left, bool right) {
  return [left, right](MarkedText& text) {
    size_t begin = 0, end = text.bytes.size();
    while (left && begin < end) {
      Character c = character_at(text.bytes, begin);
      if (!is_white_space(c.code)) break;
      begin += c.length;
    }
    while (right && end > begin) {
      size_t start = character_start_before(text.bytes, end);
      if (!is_white_space(character_at(text.bytes, start).code)) break;
      end = start;
    }
    if (begin == 0 && end == text.bytes.size()) return;
    MarkedText out;
    append_range(out, text, begin, end);
    text = std::move(out);
  };
}

Normalizer normalize_sequence(std::vector<Normalizer> steps) {
  return [steps = std::move(steps)](MarkedText& text) {
    for (const Normalizer& step : steps)
      if (step) step(text);
  };
}

}  // namespace ingot::tok
