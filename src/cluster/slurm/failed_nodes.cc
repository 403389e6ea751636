#include "cluster/slurm/failed_nodes.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/small_file.h"

namespace vernier {
namespace {

constexpr std::size_t kMostNodeBytes = 4096;
constexpr std::size_t kMostNodes = 8;
constexpr int kMostAttempts = 20;
constexpr std::string_view kBlame = "Node failure on ";

std::string FailedNodesPath(const std::string& attempt_dir) {
  return attempt_dir + "/slurm/failed-nodes";
}

// Returns whether this is one node's name. A list such as "n[1-3]" is not:
// expanding it would need scontrol.
bool IsNodeName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ||
           c == '_' || c == '.';
  });
}

std::vector<std::string> BlamedIn(std::string_view log) {
  std::set<std::string> nodes;
  while (true) {
    const std::size_t at = log.find(kBlame);
    if (at == std::string_view::npos) break;
    log.remove_prefix(at + kBlame.size());
    const std::string_view name = log.substr(0, log.find_first_of(" \n"));
    if (IsNodeName(name)) nodes.emplace(name);
  }
  return {nodes.begin(), nodes.end()};
}

}  // namespace

std::vector<std::string> NodesToBlame(const JobView& job, bool gang_ran,
                                      const std::string& job_log) {
  const auto& listed = job.knowledge.job;
  if (!listed) return {};
  const bool is_launch_failure =
      listed->state == SlurmState::kFailed && !gang_ran;
  if (listed->state != SlurmState::kNodeFailed && !is_launch_failure) return {};
  if (IsNodeName(listed->nodes)) return {listed->nodes};
  return BlamedIn(job_log);
}

absl::Status NoteFailedNodes(const std::string& attempt_dir,
                             const std::vector<std::string>& nodes) {
  return ReplaceFile(FailedNodesPath(attempt_dir),
                     absl::StrJoin(nodes, "\n") + "\n", Durability::kVolatile);
}

std::vector<std::string> FailedNodesBefore(const AttemptKey& attempt,
                                           const std::string& attempt_dir) {
  // The path ends in TRIAL/NUMBER.
  const std::string trial_dir =
      attempt_dir.substr(0, attempt_dir.rfind('/') + 1);
  std::set<std::string> nodes;
  const int first = std::max(1, attempt.number - kMostAttempts);
  for (int number = attempt.number - 1; number >= first; --number) {
    const absl::StatusOr<std::string> text = ReadSmallFile(
        FailedNodesPath(absl::StrCat(trial_dir, number)), kMostNodeBytes);
    if (!text.ok()) continue;
    for (const auto line : absl::StrSplit(*text, '\n')) {
      const std::string_view name(line.data(), line.size());
      if (nodes.size() < kMostNodes && IsNodeName(name)) nodes.emplace(name);
    }
  }
  return {nodes.begin(), nodes.end()};
}

}  // namespace vernier
