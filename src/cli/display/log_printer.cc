#include "cli/display/log_printer.h"

#include <vernier/v1/job_service.pb.h>

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/json.h"

namespace vernier {

std::string LogPrinter::Add(const v1::LogChunk& piece) {
  return style_ == Style::kHeaders ? Headers(piece) : Lines(piece);
}

std::string LogPrinter::LineOf(const Key& key, const std::string& line) const {
  const auto& [trial, attempt, replica] = key;
  if (style_ == Style::kColumns) {
    return absl::StrCat(replica, "  ", trial, "  ", line, "\n");
  }
  // A trial's number is a text in all JSON that this program prints.
  const Json object = {{"trialId", absl::StrCat(trial)},
                       {"attempt", attempt},
                       {"replica", replica},
                       {"line", line}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string LogPrinter::Lines(const v1::LogChunk& piece) {
  const Key key{piece.trial_id(), piece.attempt(), piece.replica()};
  std::string& pending = partial_[key];
  pending += piece.data();
  std::string text;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = pending.find('\n', begin);
    if (end == std::string::npos) break;
    text += LineOf(key, pending.substr(begin, end - begin));
    begin = end + 1;
  }
  pending.erase(0, begin);
  return text;
}

std::string LogPrinter::Headers(const v1::LogChunk& piece) {
  const Key key{piece.trial_id(), piece.attempt(), piece.replica()};
  std::string text;
  // If there is only one log, no header is needed.
  if (last_ != Key{} && key != last_) {
    text = absl::StrCat(ends_with_newline_ ? "" : "\n", "==> trial ",
                        piece.trial_id(), ", attempt ", piece.attempt(), ", ",
                        piece.replica(), " <==\n");
  }
  last_ = key;
  text += piece.data();
  if (!piece.data().empty()) ends_with_newline_ = piece.data().back() == '\n';
  return text;
}

std::string LogPrinter::Finish() {
  std::string text;
  for (const auto& [key, line] : partial_) {
    if (line.empty()) continue;
    text += LineOf(key, line);
  }
  partial_.clear();
  return text;
}

}  // namespace vernier
