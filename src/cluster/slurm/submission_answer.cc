#include "cluster/slurm/submission_answer.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/strings/str_split.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxWords = 500;

// Messages by which the controller refuses a job for now. Network errors are
// not among them: after those the job may exist.
constexpr std::string_view kThrottles[] = {
    "AssocMaxSubmitJobLimit",
    "AssocGrpSubmitJobsLimit",
    "QOSMaxSubmitJobPerUserLimit",
    "QOSGrpSubmitJobsLimit",
    "Job violates accounting/QOS policy",
    "Slurm temporarily unable to accept job",
    "Resource temporarily unavailable",
    "Too many pending jobs",
    "Unable to contact slurm controller",
};

// Messages by which the controller, or sbatch itself, refuses a job for good.
constexpr std::string_view kRefusals[] = {
    "Invalid account or account/partition combination",
    "invalid partition specified",
    "Invalid partition name",
    "Invalid feature specification",
    "Requested node configuration is not available",
    "Invalid generic resource",
    "Invalid qos specification",
    "Invalid QOS",
    "Requested reservation is invalid",
    "Requested time limit is invalid",
    "Memory specification can not be satisfied",
    "More processors requested than permitted",
    "Access/permission denied",
    "Job name specification",
    "User's group not permitted to use this partition",
    "Requested partition configuration not available",
    "Node count specification invalid",
    "Invalid node name specified",
    "CPU count",
    "unrecognized option",
    "invalid option",
    "requires an argument",
    "Invalid --",
    "Unable to open file",
};

bool HoldsOneOf(std::string_view text, const auto& words) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) {
                       return text.find(word) != std::string_view::npos;
                     });
}

// Parses "17" or "17;cluster".
std::optional<std::int64_t> NumberIn(std::string_view line) {
  const std::string_view digits = line.substr(0, line.find(';'));
  std::int64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || rest != end || number < 1) return std::nullopt;
  return number;
}

// Joins the lines that say what is wrong, without the repeated "sbatch: error:
// ".
std::string WordsOf(const std::string& output) {
  std::string words;
  for (const auto piece : absl::StrSplit(output, '\n')) {
    std::string_view line(piece.data(), piece.size());
    for (const std::string_view prefix : {"sbatch: ", "error: "}) {
      if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
    }
    if (line.empty()) continue;
    if (!words.empty()) words += "; ";
    words += line;
  }
  return words.substr(0, kMaxWords);
}

}  // namespace

SubmissionAnswer JudgeSubmission(const CommandEnd& end) {
  using Kind = SubmissionAnswer::Kind;
  SubmissionAnswer answer;
  if (end.is_success()) {
    for (const auto line : absl::StrSplit(end.output, '\n')) {
      const auto number = NumberIn({line.data(), line.size()});
      if (number) answer = {Kind::kAccepted, *number, ""};
    }
    if (answer.kind == Kind::kAccepted) return answer;
  }
  answer.words = WordsOf(end.output);
  if (end.is_timed_out) {
    answer.words = "sbatch did not end in time";
  } else if (end.is_success()) {
    answer.words = "sbatch gave no number: " + answer.words;
  } else if (end.exit_code.has_value()) {
    // Slurm adds "temporarily" even if the cause is permanent.
    if (HoldsOneOf(answer.words, kThrottles)) answer.kind = Kind::kThrottled;
    if (answer.kind == Kind::kAmbiguous &&
        HoldsOneOf(answer.words, kRefusals)) {
      answer.kind = Kind::kRefused;
    }
  }
  if (answer.words.empty()) answer.words = "sbatch said nothing";
  return answer;
}

}  // namespace vernier
