// Reads the output of squeue, sacct, scontrol and sbatch, and the reports of a
// node. Sites wrap these programs, so the text may be anything. The results are
// within bounds, and about this service's jobs alone.

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

using Parser = absl::StatusOr<JobListing> (*)(std::string_view text,
                                              std::string_view prefix);

// `other` is a line about a job that is not ours.
void CheckListing(Parser parse, const std::string& text,
                  std::string_view other) {
  // The last line may be incomplete, and so may its job.
  const bool is_whole = text.empty() || text.back() == '\n';
  const absl::StatusOr<JobListing> listing = parse(text, kPrefix);
  VERNIER_CHECK(is_whole || !listing.ok());
  VERNIER_CHECK(!text.empty() || listing.ok());
  // Unknown lines beside a job's are a banner; a text of unknown lines alone is
  // no listing.
  if (is_whole) {
    const auto with_other = parse(text + std::string(other), kPrefix);
    VERNIER_CHECK(with_other.ok());
    VERNIER_CHECK(!listing.ok() || *with_other == *listing);
    VERNIER_CHECK(listing.ok() || with_other->empty());
  }
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
  // Unless sbatch failed, a job may exist, whatever was printed.
  VERNIER_CHECK(exit_code != 0 || answer.kind == Kind::kAccepted ||
                answer.kind == Kind::kAmbiguous);
  VERNIER_CHECK(answer.words.size() <= kMostWords + 30);
  VERNIER_CHECK(answer.kind == Kind::kAccepted || !answer.words.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckListing(vernier::ParseQueue, text, "9|RUNNING|None|n1|somebodys\n");
  CheckListing(vernier::ParseAccounts, text, "9|COMPLETED|n1|somebodys\n");
  for (const auto& [name, address] : vernier::ParseNodeAddresses(text)) {
    VERNIER_CHECK(!name.empty() && !address.empty());
    VERNIER_CHECK((name + address).find_first_of(",= \n") == name.npos);
  }
  vernier::ScontrolValue(text, "PreemptTime");
  CheckAnswer(text, 0);
  CheckAnswer(text, 1);
  return 0;
}
