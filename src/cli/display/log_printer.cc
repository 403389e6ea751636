#include "cli/display/log_printer.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

std::string Prefix(std::int64_t trial, const std::string& replica) {
  return absl::StrCat(replica, "  ", trial, "  ");
}

}  // namespace

std::string LogPrinter::Add(const LogPiece& piece) {
  return style_ == Style::kColumns ? Columns(piece) : Headers(piece);
}

std::string LogPrinter::Columns(const LogPiece& piece) {
  std::string& pending = partial_[{piece.trial, piece.attempt, piece.replica}];
  pending += piece.data;
  const std::string prefix = Prefix(piece.trial, piece.replica);
  std::string text;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = pending.find('\n', begin);
    if (end == std::string::npos) break;
    text += prefix + pending.substr(begin, end - begin + 1);
    begin = end + 1;
  }
  pending.erase(0, begin);
  return text;
}

std::string LogPrinter::Headers(const LogPiece& piece) {
  const Key key{piece.trial, piece.attempt, piece.replica};
  std::string text;
  // A log that is alone needs no header.
  if (last_ != Key{} && key != last_) {
    text = absl::StrCat(ends_with_newline_ ? "" : "\n", "==> trial ",
                        piece.trial, ", attempt ", piece.attempt, ", ",
                        piece.replica, " <==\n");
  }
  last_ = key;
  text += piece.data;
  if (!piece.data.empty()) ends_with_newline_ = piece.data.back() == '\n';
  return text;
}

std::string LogPrinter::Finish() {
  std::string text;
  for (const auto& [key, line] : partial_) {
    if (line.empty()) continue;
    text += Prefix(std::get<0>(key), std::get<2>(key)) + line + "\n";
  }
  partial_.clear();
  return text;
}

}  // namespace vernier
