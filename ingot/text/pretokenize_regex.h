// One compiled regular expression of a tokenizer file; immutable and shared between threads.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace ingot::tok {

class Regex {
 public:
  // Oniguruma's syntax (see pretokenize_pattern.h); an Error with the place if it does not compile.
  explicit Regex(std::string_view pattern);

  struct Compiled;

  // Walks over the matches of a valid UTF-8 text, left to right, without overlap. An empty match right behind the match
  // before it is passed over. A match that takes too many steps (a pattern that backtracks without end) is an Error.
  class Search {
   public:
    Search(const Regex& regex, std::string_view text);
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    bool next(size_t& begin, size_t& end);

   private:
    bool match(size_t from);

    std::shared_ptr<const Compiled> compiled_;
    std::string_view text_;
    void* data_;
    const size_t* bounds_;
    size_t from_ = 0;
    size_t last_end_ = static_cast<size_t>(-1);
  };

 private:
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace ingot::tok
