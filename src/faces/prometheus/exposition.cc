#include "faces/prometheus/exposition.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace vernier {
namespace {

std::string ValueText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return absl::StrFormat("%.17g", value);
}

std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(text,
                             {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}});
}

std::string_view TypeName(Exposition::Type type) {
  switch (type) {
    case Exposition::Type::kCounter:
      return "counter";
    case Exposition::Type::kGauge:
      return "gauge";
    case Exposition::Type::kHistogram:
      return "histogram";
  }
  return "untyped";
}

}  // namespace

void Exposition::Begin(const std::string& name, Type type,
                       const std::string& help) {
  name_ = name;
  absl::StrAppend(&text_, "# HELP ", name, " ",
                  absl::StrReplaceAll(help, {{"\\", "\\\\"}, {"\n", "\\n"}}),
                  "\n# TYPE ", name, " ", std::string(TypeName(type)), "\n");
}

void Exposition::Add(const Labels& labels, double value,
                     std::string_view suffix) {
  absl::StrAppend(&text_, name_, std::string(suffix));
  const char* before = "{";
  for (const auto& [label, text] : labels) {
    absl::StrAppend(&text_, before, label, "=\"", Escaped(text), "\"");
    before = ",";
  }
  absl::StrAppend(&text_, labels.empty() ? " " : "} ", ValueText(value), "\n");
}

}  // namespace vernier
