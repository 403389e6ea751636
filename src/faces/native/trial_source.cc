#include "faces/native/trial_source.h"

#include "base/status_macros.h"
#include "faces/messages/trial_message.h"
#include "trials/study_names.h"
#include "trials/trial_query.h"

namespace vernier {
namespace {

// So many trials take some 100 KiB.
constexpr std::size_t kTrialsAtOnce = 100;

}  // namespace

absl::StatusOr<std::unique_ptr<TrialSource>> TrialSource::Create(
    const Store& store, const v1::ListTrialsRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(auto study,
                           FindStudy(*store.Snapshot(), request.job_id()));
  VERNIER_ASSIGN_OR_RETURN(std::vector<TrialId> trials,
                           SelectTrials(*study, {.filter = request.filter(),
                                                 .sort = request.sort(),
                                                 .limit = request.limit()}));
  return std::unique_ptr<TrialSource>(
      new TrialSource(std::move(study), std::move(trials)));
}

std::optional<absl::Status> TrialSource::Next(std::deque<v1::Trial>* messages) {
  for (std::size_t i = 0; i < kTrialsAtOnce && sent_ < trials_.size();
       ++i, ++sent_) {
    messages->push_back(
        ToProto(*study_, *study_->trials.Share(trials_[sent_])));
  }
  if (sent_ == trials_.size()) return absl::OkStatus();
  return std::nullopt;
}

}  // namespace vernier
