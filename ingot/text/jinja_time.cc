#include <cstdio>

#include "ingot/text/jinja_runtime.h"

namespace ingot::jinja {

// As Python's strftime in the C locale, whatever the locale of the process.
std::string format_time(const std::tm& t, const std::string& format) {
  static constexpr const char* kDays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
  static constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};
  std::string out;
  auto number = [&](int value, int width, bool bare) {
    char text[16];
    snprintf(text, sizeof text, "%0*d", bare ? 1 : width, value);
    out += text;
  };
  for (size_t i = 0; i < format.size(); i++) {
    if (format[i] != '%' || i + 1 == format.size()) {
      out += format[i];
      continue;
    }
    bool bare = format[i + 1] == '-' && i + 2 < format.size();  // %-d: no leading zero
    char c = format[i += bare ? 2 : 1];
    std::string day = kDays[static_cast<unsigned>(t.tm_wday) % 7],
                month = kMonths[static_cast<unsigned>(t.tm_mon) % 12];
    int hour12 = t.tm_hour % 12 == 0 ? 12 : t.tm_hour % 12;
    switch (c) {
      case 'Y':
        number(t.tm_year + 1900, 4, bare);
        break;
      case 'y':
        number(t.tm_year % 100, 2, bare);
        break;
      case 'm':
        number(t.tm_mon + 1, 2, bare);
        break;
      case 'd':
        number(t.tm_mday, 2, bare);
        break;
      case 'H':
        number(t.tm_hour, 2, bare);
        break;
      case 'I':
        number(hour12, 2, bare);
        break;
      case 'M':
        number(t.tm_min, 2, bare);
        break;
      case 'S':
        number(t.tm_sec, 2, bare);
        break;
      case 'j':
        number(t.tm_yday + 1, 3, bare);
        break;
      case 'p':
        out += t.tm_hour < 12 ? "AM" : "PM";
        break;
      case 'A':
        out += day;
        break;
      case 'a':
        out += day.substr(0, 3);
        break;
      case 'B':
        out += month;
        break;
      case 'b':
        out += month.substr(0, 3);
        break;
      case 'F':
        out += format_time(t, "%Y-%m-%d");
        break;
      case 'T':
        out += format_time(t, "%H:%M:%S");
        break;
      case '%':
        out += '%';
        break;
      default:
        throw TemplateError{ErrorKind::kUnsupported,
                            cat("strftime_now: the conversion ", quoted(format.substr(i - 1, 2)), " is not supported")};
    }
  }
  return out;
}

}  // namespace ingot::jinja
