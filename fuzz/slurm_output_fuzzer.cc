// What squeue, sacct, scontrol and sbatch print, and what a node reports: sites
// wrap these programs, so it may be anything. What is taken from it is within
// bounds, and of this service's jobs alone.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "cluster/slurm/failed_nodes.h"
#include "cluster/slurm/job_identity.h"
#include "cluster/slurm/job_listing.h"
#include "cluster/slurm/job_tracker.h"
#include "cluster/slurm/node/node_address.h"
#include "cluster/slurm/submission_answer.h"

namespace {

using vernier::JobListing;

constexpr std::string_view kPrefix = "vernier-0badf00d-";
constexpr std::size_t kMostText = 300;
constexpr std::size_t kMostWords = 500;

void CheckListing(const absl::StatusOr<JobListing>& listing,
                  std::string_view text) {
  // Half a line may be half a job.
  VERNIER_CHECK(listing.ok() == (text.empty() || text.back() == '\n'));
  if (!listing.ok()) return;
  vernier::JobTracker tracker{std::chrono::milliseconds(1)};
  for (const auto& [name, job] : *listing) {
    VERNIER_CHECK(vernier::IsJobName(name, kPrefix));
    VERNIER_CHECK(job.number > 0);
    VERNIER_CHECK(job.word.size() <= kMostText);
    VERNIER_CHECK(job.reason.size() <= kMostText);
    VERNIER_CHECK(job.nodes.size() <= kMostText);
    vernier::JobView view;
    view.knowledge.job = job;
    for (const std::string& node : NodesToBlame(view, false, job.reason)) {
      VERNIER_CHECK(node.find_first_of(",\n|[") == node.npos);
    }
    tracker.Follow(name, vernier::SteadyTime{});
  }
  tracker.TakeListing(*listing, vernier::SteadyTime{});
  VERNIER_CHECK(tracker.strangers().empty());
  VERNIER_CHECK(tracker.ToAccount(1).empty());
}

void CheckAnswer(const std::string& text, int exit_code) {
  vernier::CommandEnd end;
  end.exit_code = exit_code;
  end.output = text;
  const vernier::SubmissionAnswer answer = vernier::JudgeSubmission(end);
  using Kind = vernier::SubmissionAnswer::Kind;
  VERNIER_CHECK((answer.kind == Kind::kAccepted) == (answer.number > 0));
  // A job may exist, whatever is printed, unless sbatch failed.
  VERNIER_CHECK(exit_code != 0 || answer.kind == Kind::kAccepted ||
                answer.kind == Kind::kAmbiguous);
  VERNIER_CHECK(answer.words.size() <= kMostWords + 30);
  VERNIER_CHECK(answer.kind == Kind::kAccepted || !answer.words.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckListing(vernier::ParseQueue(text, kPrefix), text);
  CheckListing(vernier::ParseAccounts(text, kPrefix), text);
  for (const auto& [name, address] : vernier::ParseNodeAddresses(text)) {
    VERNIER_CHECK(!name.empty() && !address.empty());
    VERNIER_CHECK((name + address).find_first_of(",= \n") == name.npos);
  }
  vernier::ScontrolValue(text, "PreemptTime");
  CheckAnswer(text, 0);
  CheckAnswer(text, 1);
  return 0;
}
