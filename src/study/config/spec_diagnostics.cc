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

void SortByPlace(std::vector<SpecError>& errors) {
  std::stable_sort(errors.begin(), errors.end(),
                   [](const SpecError& a, const SpecError& b) {
                     return SortKey(a) < SortKey(b);
                   });
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
  errors_.push_back(At(position, std::move(field_path), std::move(message)));
}

SpecError SpecDiagnostics::At(const ConfigPosition& position,
                              std::string field_path,
                              std::string message) const {
  return {position.flag.empty() ? file_name_ : std::string(position.flag),
          position.line, position.column, std::move(field_path),
          std::move(message)};
}

void SpecDiagnostics::AddIgnored(std::string field_path) {
  ignored_fields_.push_back(std::move(field_path));
}

void SpecDiagnostics::AddNote(const ConfigPosition& position,
                              std::string field_path, std::string message) {
  notes_.push_back(At(position, std::move(field_path), std::move(message)));
}

void SpecDiagnostics::AddLeftOut(const ConfigPosition& position,
                                 std::string field_path, std::string reason) {
  AddIgnored(field_path);
  AddNote(position, std::move(field_path), std::move(reason));
}

bool SpecDiagnostics::HasErrorsBelow(std::string_view path) const {
  return std::any_of(errors_.begin(), errors_.end(), [&](const auto& error) {
    return error.field_path.starts_with(path);
  });
}

void SpecDiagnostics::Rename(std::vector<FieldWord> fields, MessageForm form) {
  num_named_ = errors_.size();
  message_form_ = form;
  for (FieldWord& field : fields) {
    words_.emplace(std::move(field.path), std::move(field.word));
  }
}

std::string SpecDiagnostics::WordOf(const std::string& path) const {
  for (std::size_t end = path.size(); end > 0;) {
    const auto known = words_.find(std::string_view(path).substr(0, end));
    if (known != words_.end()) return known->second + path.substr(end);
    end = path.find_last_of(".[", end - 1);
    if (end == std::string::npos) break;
  }
  return path;
}

std::vector<SpecError> SpecDiagnostics::TakeErrors() {
  for (std::size_t i = num_named_; i < errors_.size(); ++i) {
    if (message_form_ == nullptr) break;
    errors_[i].field_path = WordOf(errors_[i].field_path);
    errors_[i].message = message_form_(errors_[i].message);
  }
  SortByPlace(errors_);
  if (num_dropped_ > 0) {
    errors_.push_back({file_name_, 0, 0, "",
                       "too many errors: " + std::to_string(num_dropped_) +
                           " more are not shown"});
  }
  return std::move(errors_);
}

std::vector<std::string> SpecDiagnostics::TakeIgnored() {
  for (std::string& field : ignored_fields_) field = WordOf(field);
  return std::move(ignored_fields_);
}

std::vector<SpecError> SpecDiagnostics::TakeNotes() {
  SortByPlace(notes_);
  return std::move(notes_);
}

std::string ShowValue(const ConfigNode& node) {
  if (node.kind != ConfigNode::Kind::kScalar) {
    return std::string(KindName(node.kind));
  }
  const std::string text = ShowText(node.scalar);
  return node.is_plain ? text : "\"" + text + "\"";
}

}  // namespace vernier
