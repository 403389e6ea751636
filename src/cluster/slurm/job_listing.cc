#include "cluster/slurm/job_listing.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>

#include "absl/status/status.h"
#include "base/shown_text.h"
#include "cluster/slurm/job_identity.h"

namespace vernier {
namespace {

/// Splits one line into its columns, in the order of the format.
template <std::size_t n>
std::optional<std::array<std::string_view, n>> Columns(std::string_view line) {
  std::array<std::string_view, n> columns;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos) return std::nullopt;
    columns[i] = line.substr(0, bar);
    line.remove_prefix(bar + 1);
  }
  columns[n - 1] = line;  // The name: a user may have put bars into it.
  return columns;
}

// Returns the number 17 for "17", for "17+1" (a component) and for "17_3" (an
// array).
std::optional<std::int64_t> NumberOf(std::string_view id) {
  std::int64_t number = 0;
  const auto [rest, error] =
      std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc() || number < 1) return std::nullopt;
  return number;
}

// Returns how much a state explains about a job that has ended; a larger number
// explains more.
int Weight(SlurmState state) {
  switch (state) {
    case SlurmState::kNodeFailed:
      return 6;
    case SlurmState::kPreempted:
      return 5;
    case SlurmState::kOutOfMemory:
      return 4;
    case SlurmState::kTimeLimit:
      return 3;
    case SlurmState::kFailed:
      return 2;
    case SlurmState::kCancelled:
      return 1;
    case SlurmState::kCompleted:
    case SlurmState::kPending:
    case SlurmState::kRunning:
      break;
  }
  return 0;
}

// Returns whether `job` should represent the jobs of one name rather than
// `than`. The components of one job have the same number in squeue, and
// adjacent ones in sacct.
bool IsBetter(const ListedJob& job, const ListedJob& than) {
  if (IsFinal(job.state) != IsFinal(than.state)) return !IsFinal(job.state);
  if (IsFinal(job.state) && Weight(job.state) != Weight(than.state)) {
    return Weight(job.state) > Weight(than.state);
  }
  if (job.state != than.state) return job.state == SlurmState::kRunning;
  return job.number > than.number;
}

void Add(std::string_view name, std::string_view prefix, ListedJob job,
         JobListing* listing) {
  const std::string job_name = JobOfComponent(name);
  if (!IsJobName(job_name, prefix)) return;
  const auto [place, is_new] = listing->try_emplace(job_name, job);
  if (!is_new && IsBetter(job, place->second)) place->second = std::move(job);
}

// The bytes of each text that are shown and kept for a job, since any program
// may have printed the listing.
constexpr std::size_t kMostText = 300;

std::string Bounded(std::string_view text) {
  return std::string(text.substr(0, kMostText));
}

// Slurm's own commands print warnings among the lines of a listing.
bool IsWarning(std::string_view line) {
  return line.starts_with("squeue: ") || line.starts_with("sacct: ");
}

/// Calls `take` with each line; it returns whether the line belongs to a
/// listing. Returns DATA_LOSS if the last line has no newline, or if there are
/// other lines but none of a listing: text that another program printed does
/// not mean that there are no jobs.
template <typename Take>
absl::Status ForEachLine(std::string_view text, const Take& take) {
  std::string_view strange;
  bool has_line = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return absl::DataLossError("the listing is cut off");
    }
    const std::string_view line = text.substr(0, end);
    if (take(line)) {
      has_line = true;
    } else if (strange.empty() && !IsWarning(line)) {
      strange = line;
    }
    text.remove_prefix(end + 1);
  }
  if (has_line || strange.empty()) return absl::OkStatus();
  return absl::DataLossError("no listing of jobs: " + ShowText(strange));
}

}  // namespace

absl::StatusOr<JobListing> ParseQueue(std::string_view text,
                                      std::string_view prefix) {
  JobListing listing;
  const absl::Status read = ForEachLine(text, [&](std::string_view line) {
    const auto columns = Columns<5>(line);
    if (!columns) return false;
    const auto& [id, word, reason, nodes, name] = *columns;
    const auto number = NumberOf(id);
    if (!number) return false;
    ListedJob job{*number, StateOfWord(word), Bounded(word), Bounded(reason),
                  Bounded(nodes)};
    if (job.reason == "None") job.reason.clear();
    Add(name, prefix, std::move(job), &listing);
    return true;
  });
  if (!read.ok()) return read;
  return listing;
}

absl::StatusOr<JobListing> ParseAccounts(std::string_view text,
                                         std::string_view prefix) {
  JobListing listing;
  const absl::Status read = ForEachLine(text, [&](std::string_view line) {
    const auto columns = Columns<4>(line);
    if (!columns) return false;
    const auto& [id, word, nodes, name] = *columns;
    const auto number = NumberOf(id);
    if (!number) return false;
    ListedJob job{*number, StateOfWord(word), Bounded(word), "",
                  Bounded(nodes)};
    if (job.nodes == "None assigned") job.nodes.clear();
    Add(name, prefix, std::move(job), &listing);
    return true;
  });
  if (!read.ok()) return read;
  return listing;
}

}  // namespace vernier
