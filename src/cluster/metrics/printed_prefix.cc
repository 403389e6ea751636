#include "cluster/metrics/printed_prefix.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "cluster/metrics/line_words.h"

namespace vernier {
namespace {

constexpr std::string_view kDigits = "0123456789";

// Returns "1" of "INFO [train.py:938] (1/2) Epoch 1, ...", as icefall prints.
std::optional<std::string_view> ProcessBehindSource(std::string_view line) {
  constexpr std::string_view kSource = ".py:";
  constexpr std::string_view kOpen = "] (";
  const std::size_t source = line.find(kSource);
  if (source == std::string_view::npos) return std::nullopt;
  line.remove_prefix(source + kSource.size());
  line.remove_prefix(std::min(line.find_first_not_of(kDigits), line.size()));
  if (!line.starts_with(kOpen)) return std::nullopt;
  line.remove_prefix(kOpen.size());
  const std::size_t size =
      std::min(line.find_first_not_of(kDigits), line.size());
  if (size == 0 || !line.substr(size).starts_with('/')) return std::nullopt;
  return line.substr(0, size);
}

// Returns "1" of "loss 12.6 lr 0.001 rank 1", as WeNet ends its lines. Behind a
// word, as in "mean rank 12", it is a value.
std::optional<std::string_view> ProcessAtEnd(std::string_view line) {
  constexpr std::string_view kRank = " rank ";
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  const std::size_t at = line.rfind(kRank);
  if (at == std::string_view::npos || at == 0 || !IsDigit(line[at - 1])) {
    return std::nullopt;
  }
  const std::string_view process = line.substr(at + kRank.size());
  if (!IsNumberWord(process)) return std::nullopt;
  return process;
}

// Returns "1" of "2024-01-01 10:00:00 [1,1]<stdout>:loss" and "[10:00:00] [Rank
// 1] loss", where something stands before the launcher's prefix.
std::optional<std::string_view> ProcessBehindTime(std::string_view line) {
  constexpr std::size_t kLongest = 100;
  const std::string lower =
      absl::AsciiStrToLower(std::string(line.substr(0, kLongest)));
  for (const std::string_view field : {"[1,", "[rank", "[rank ", "[rank:"}) {
    const std::size_t at = lower.find(field);
    if (at == std::string::npos) continue;
    const std::string_view rest = line.substr(at + field.size());
    const std::size_t size =
        std::min(rest.find_first_not_of(kDigits), rest.size());
    const std::string_view end = field == "[1," ? "]<std" : "]";
    if (size > 0 && rest.substr(size).starts_with(end)) {
      return rest.substr(0, size);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view BehindActor(std::string_view line) {
  constexpr std::size_t kLongest = 100;
  constexpr std::string_view kProcess = " pid=";
  if (!line.starts_with('(')) return line;
  const std::size_t end = line.substr(0, kLongest).find(')');
  if (end == std::string_view::npos) return line;
  const std::string_view actor = line.substr(0, end);
  const std::size_t at = actor.find(kProcess);
  const std::string_view process =
      at == actor.npos ? "" : WordAt(actor.substr(at + kProcess.size()));
  if (!IsNumberWord(process)) return line;
  line.remove_prefix(end + 1);
  SkipOneOf(" ", line);
  return line;
}

std::optional<std::string_view> ProcessOf(std::string_view line) {
  constexpr std::string_view kPrefixes[] = {
      "[1,",    "[1,mpirank:", "[default", "[gpu",  "[gpu ",   "[rank",
      "[rank ", "[worker ",    "rank ",    "rank=", "worker-", ""};
  SkipBlanks(line);
  const std::string lower =
      absl::AsciiStrToLower(std::string(line.substr(0, 16)));
  for (const std::string_view prefix : kPrefixes) {
    if (!lower.starts_with(prefix)) continue;
    const std::string_view rest = line.substr(prefix.size());
    const std::size_t size =
        std::min(rest.find_first_not_of(kDigits), rest.size());
    if (size == 0) continue;
    const std::string_view end = rest.substr(size);
    // "[1,100]:" may be an epoch and a batch.
    const bool is_prefix = prefix.empty()            ? end.starts_with(": ")
                           : prefix == kPrefixes[0]  ? end.starts_with("]<std")
                           : prefix == kPrefixes[1]  ? end.starts_with(",")
                           : prefix.starts_with('[') ? end.starts_with("]")
                           : prefix.ends_with('=')   ? end.starts_with(" ")
                                                     : end.starts_with(":");
    if (is_prefix) return rest.substr(0, size + (prefix.empty() ? 1 : 0));
  }
  if (const auto process = ProcessBehindSource(line)) return process;
  if (const auto process = ProcessBehindTime(line)) return process;
  for (const std::string_view field : {" rank=", "local_rank=", "(rank "}) {
    const std::size_t at = line.find(field);
    if (at == std::string_view::npos) continue;
    line.remove_prefix(at + field.size());
    return line.substr(0, line.find_first_not_of(kDigits));
  }
  return ProcessAtEnd(line);
}

std::string LoggerOf(std::string_view line) {
  constexpr std::string_view kLevel = "][INFO]";
  const std::size_t end = line.find(kLevel);
  if (!line.starts_with('[') || end == std::string_view::npos) return "";
  const std::string_view before = line.substr(0, end);
  return absl::AsciiStrToLower(
      std::string(before.substr(before.rfind('[') + 1)));
}

}  // namespace vernier
