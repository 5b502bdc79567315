// The objects behind `loop`, namespace() and macros.
#pragma once
#include <memory>
#include <string>

#include "ingot/text/jinja_eval.h"

namespace ingot::jinja {

class Namespace : public Object {
 public:
  explicit Namespace(const Arguments& arguments);
  const char* type() const override { return "namespace"; }
  bool callable() const override { return false; }
  Value attribute(const std::string& name) override;
  void set(const std::string& name, Value value);
  void clear() { attributes_.clear(); }

 private:
  std::vector<std::pair<std::string, Value>> attributes_;
};

class Loop : public Object, public std::enable_shared_from_this<Loop> {
 public:
  explicit Loop(std::shared_ptr<const List> items);
  const char* type() const override { return "loop"; }
  bool callable() const override { return false; }
  int depth() const override { return depth_; }
  Value attribute(const std::string& name) override;
  void advance(size_t index) { index_ = index; }
  size_t index() const { return index_; }
  bool changed(Budget& budget, const List& values);  // whether they differ from those of the last call
  void end() { last_.reset(); }                      // what was compared may hold this very loop

 private:
  std::shared_ptr<const List> items_;
  size_t index_ = 0;
  int depth_ = 0;
  std::shared_ptr<const List> last_;
};

// A macro, or the body of a call block as its `caller`. It sees the scope it was defined in, and does not outlive it.
class Macro : public Object {
 public:
  Macro(const Stmt& stmt, const std::shared_ptr<Scope>& scope) : stmt_(stmt), scope_(scope) {}
  const char* type() const override { return "macro"; }
  Value call(Interpreter& interpreter, const Arguments& arguments) override;
  Value attribute(const std::string& name) override;

 private:
  const Stmt& stmt_;
  std::weak_ptr<Scope> scope_;
};

// For strftime_now; TemplateError for conversions it does not know.
std::string format_time(const std::tm& t, const std::string& format);

}  // namespace ingot::jinja
