// Points given by users. The waiting points become the next trials, so each has
// the number of its trial already.

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/stable_digest.h"
#include "base/status_macros.h"
#include "store/events/event_payload.h"
#include "store/model/change_rules.h"

namespace vernier {
namespace {

std::uint64_t DigestOf(const QueuePoints& change) {
  std::string text = absl::StrCat("points of ", ToInt(change.study), ":");
  for (const Parameters& point : change.points) {
    absl::StrAppend(&text, ParametersToJson(point));
  }
  return StableDigest(text);
}

absl::Status CheckHasRoom(const QueuePoints& change, JobRef job) {
  if (IsTerminal(job.run().state)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the job of ", NameOf(change.study), " is ",
        std::string(ToString(job.run().state)), "; no point can be queued"));
  }
  if (job.run().wanted == JobWanted::kStop ||
      job.run().wanted == JobWanted::kFail) {
    return absl::FailedPreconditionError(
        absl::StrCat("the job of ", NameOf(change.study), " is to be stopped"));
  }
  const std::size_t total =
      job->trials.size() + job->queued.size() + change.points.size();
  if (total > static_cast<std::size_t>(job.run().max_trials)) {
    return absl::FailedPreconditionError(absl::StrCat(
        NameOf(change.study), " would pass max_trials with its queued points: ",
        job->trials.size(), " + ", job->queued.size(), " + ",
        change.points.size(), " > ", job.run().max_trials));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AppendToQueue(StudyId study, const std::vector<Parameters>& points,
                           ChangeContext& context) {
  for (const Parameters& parameters : points) {
    VERNIER_RETURN_IF_ERROR(CheckStorable(parameters));
    StudySnapshot& edited = context.state.Edit(study);
    auto point = std::make_shared<QueuedPoint>();
    point->trial = TrialId{
        static_cast<std::int64_t>(edited.trials.size() + edited.queued.size()) +
        1};
    point->parameters = parameters;
    point->queued_at = context.now;
    std::string payload = PointQueuedPayload(*point);
    context.effects.rows.push_back(
        {RowChange::Kind::kPointQueued, {study, point->trial, 0}});
    edited.queued.push_back(std::move(point));
    RecordEvent({study, TrialId{}, 0}, "point.queued", std::move(payload),
                context);
  }
  return absl::OkStatus();
}

absl::Status Apply(const QueuePoints& change, JobRef before,
                   ChangeContext& context) {
  const std::uint64_t digest = DigestOf(change);
  VERNIER_ASSIGN_OR_RETURN(const RememberedRequest* const seen,
                           FindAnswered(context, change.request_id, digest));
  if (seen != nullptr) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(CheckHasRoom(change, before));
  VERNIER_RETURN_IF_ERROR(AppendToQueue(change.study, change.points, context));
  Remember(change.request_id, {change.study, digest}, context);
  return absl::OkStatus();
}

}  // namespace vernier
