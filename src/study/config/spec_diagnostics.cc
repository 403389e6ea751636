#include "study/config/spec_diagnostics.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/shown_text.h"

namespace vernier {
namespace {

auto SortKey(const SpecError& error) {
  constexpr int kLast = std::numeric_limits<int>::max();
  return std::make_tuple(error.line == 0 ? kLast : error.line, error.column);
}

}  // namespace

SpecDiagnostics::SpecDiagnostics(std::string file_name)
    : file_name_(std::move(file_name)) {}

void SpecDiagnostics::AddError(const ConfigPosition& position,
                               std::string field_path, std::string message) {
  if (errors_.size() == kMaxErrors) {
    ++num_dropped_;
    return;
  }
  errors_.push_back(
      {position.flag.empty() ? file_name_ : std::string(position.flag),
       position.line, position.column, std::move(field_path),
       std::move(message)});
}

void SpecDiagnostics::AddIgnored(std::string field_path) {
  ignored_fields_.push_back(std::move(field_path));
}

bool SpecDiagnostics::HasErrorsBelow(std::string_view path) const {
  return std::any_of(errors_.begin(), errors_.end(), [&](const auto& error) {
    return error.field_path.starts_with(path);
  });
}

std::vector<SpecError> SpecDiagnostics::TakeErrors() {
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const SpecError& a, const SpecError& b) {
                     return SortKey(a) < SortKey(b);
                   });
  if (num_dropped_ > 0) {
    errors_.push_back({file_name_, 0, 0, "",
                       "too many errors: " + std::to_string(num_dropped_) +
                           " more are not shown"});
  }
  return std::move(errors_);
}

std::vector<std::string> SpecDiagnostics::TakeIgnored() {
  return std::move(ignored_fields_);
}

std::string ShowValue(const ConfigNode& node) {
  if (node.kind != ConfigNode::Kind::kScalar) {
    return std::string(KindName(node.kind));
  }
  const std::string text = ShowText(node.scalar);
  return node.is_plain ? text : "\"" + text + "\"";
}

}  // namespace vernier
