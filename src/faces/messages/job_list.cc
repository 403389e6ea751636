#include "faces/messages/job_list.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "faces/messages/job_message.h"
#include "faces/messages/message_cost.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "trials/job_filter.h"

namespace vernier {
namespace {

// AI Platform's default and largest pageSize.
constexpr int kDefaultPage = 20;
constexpr int kLargestPage = 100;

}  // namespace

absl::Status ListJobs(const StoreSnapshot& snapshot,
                      const Hindrances& hindrances,
                      std::optional<Timestamp> now,
                      const v1::ListJobsRequest& request,
                      v1::ListJobsResponse* response) {
  if (request.page_size() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("page_size must be >= 0: ", request.page_size()));
  }
  const int page_size = request.page_size() == 0
                            ? kDefaultPage
                            : std::min(request.page_size(), kLargestPage);
  VERNIER_ASSIGN_OR_RETURN(const JobFilter filter,
                           JobFilter::Parse(request.filter()));
  auto next = std::make_reverse_iterator(snapshot.end());
  if (!request.page_token().empty()) {
    VERNIER_ASSIGN_OR_RETURN(
        const std::int64_t last,
        ParseGivenNumber(request.page_token(), "page_token"));
    next = std::make_reverse_iterator(snapshot.lower_bound(StudyId(last)));
  }
  StudyId last_listed{};
  for (; next != snapshot.rend(); ++next) {
    const auto job = AsJob(*next->second);
    if (!job.has_value()) continue;
    if (!request.project().empty() && ProjectOf(*job) != request.project()) {
      continue;
    }
    if (!filter.Matches(*job)) continue;
    if (response->jobs_size() == page_size) {
      response->set_next_page_token(absl::StrCat(ToInt(last_listed)));
      break;
    }
    v1::Job* const added = response->add_jobs();
    *added =
        ToProto(*job, TrialsInJob::kWithout, hindrances.Of(next->first), now);
    VERNIER_RETURN_IF_ERROR(UseInCall(*added));
    last_listed = next->first;
  }
  return absl::OkStatus();
}

}  // namespace vernier
