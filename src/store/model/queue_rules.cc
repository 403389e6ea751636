// Points given by users. Those that are queued become the next trials, so each
// has the number of its trial already. Those that are proposed have no place:
// the search decides whether they are tried.

#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/stable_digest.h"
#include "base/status_macros.h"
#include "store/events/event_payload.h"
#include "store/model/change_rules.h"

namespace vernier {
namespace {

std::uint64_t DigestOf(std::string text,
                       const std::vector<Parameters>& points) {
  for (const Parameters& point : points) {
    absl::StrAppend(&text, ParametersToJson(point));
  }
  return StableDigest(text);
}

std::uint64_t DigestOf(const QueuePoints& change) {
  return DigestOf(absl::StrCat("points of ", ToInt(change.study), ":"),
                  change.points);
}

std::uint64_t DigestOf(const ProposePoints& change) {
  return DigestOf(absl::StrCat("points of ", change.source, " for ",
                               ToInt(change.study), ":"),
                  change.points);
}

absl::Status CheckTakesPoints(JobRef job) {
  if (IsTerminal(job.run().state)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "job \"", job->name, "\" is ", std::string(ToString(job.run().state)),
        ", and tries no further point"));
  }
  if (job.run().wanted == JobWanted::kStop ||
      job.run().wanted == JobWanted::kFail) {
    return absl::FailedPreconditionError(
        absl::StrCat("job \"", job->name,
                     "\" is being stopped, and tries no further point"));
  }
  return absl::OkStatus();
}

absl::Status CheckHasRoom(const QueuePoints& change, JobRef job) {
  VERNIER_RETURN_IF_ERROR(CheckTakesPoints(job));
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

absl::Status CheckHasRoom(const ProposePoints& change,
                          const StudySnapshot& study) {
  if (const auto job = AsJob(study)) {
    VERNIER_RETURN_IF_ERROR(CheckTakesPoints(*job));
  }
  if (study.proposed.size() + change.points.size() > kMostProposedPoints) {
    return absl::ResourceExhaustedError(
        absl::StrCat(NameOf(change.study), " has ", study.proposed.size(),
                     " proposed points, and may have ", kMostProposedPoints));
  }
  std::set<std::string_view> sources{change.source};
  for (const auto& point : study.proposed) sources.insert(point->source);
  if (sources.size() > kMostSources) {
    return absl::ResourceExhaustedError(
        absl::StrCat(NameOf(change.study), " has points of ", kMostSources,
                     " sources, and may have no more"));
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

absl::Status Apply(const ProposePoints& change, const StudySnapshot& before,
                   ChangeContext& context) {
  VERNIER_RETURN_IF_ERROR(CheckSource(change.source));
  const std::uint64_t digest = DigestOf(change);
  VERNIER_ASSIGN_OR_RETURN(const RememberedRequest* const seen,
                           FindAnswered(context, change.request_id, digest));
  if (seen != nullptr) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(CheckHasRoom(change, before));
  for (const Parameters& parameters : change.points) {
    VERNIER_RETURN_IF_ERROR(CheckStorable(parameters));
    const auto point = std::make_shared<const ProposedPoint>(
        ProposedPoint{change.source, parameters, context.now});
    StudySnapshot& edited = context.state.Edit(change.study);
    edited.proposed.push_back(point);
    context.effects.rows.push_back(
        {RowChange::Kind::kPointProposed,
         {change.study, TrialId{}, static_cast<int>(edited.proposed.size())}});
    RecordEvent(KeyOf(change.study), "point.proposed",
                PointProposedPayload(*point), context);
  }
  Remember(change.request_id, {change.study, digest}, context);
  return absl::OkStatus();
}

}  // namespace vernier
