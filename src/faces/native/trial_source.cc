#include "faces/native/trial_source.h"

#include "base/status_macros.h"
#include "faces/messages/trial_message.h"
#include "store/study_names.h"

namespace vernier {
namespace {

// A trial takes a kilobyte, or eighty with the longest notes and attributes.
constexpr std::size_t kTrialBytesAtOnce = std::size_t{100} << 10;

}  // namespace

absl::StatusOr<std::unique_ptr<TrialSource>> TrialSource::Create(
    const Store& store, const v1::ListTrialsRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(auto study,
                           FindStudy(*store.Snapshot(), request.job_id()));
  VERNIER_ASSIGN_OR_RETURN(
      TrialSelection selection,
      TrialSelection::Begin(std::move(study), {.filter = request.filter(),
                                               .sort = request.sort(),
                                               .limit = request.limit()}));
  return std::unique_ptr<TrialSource>(new TrialSource(std::move(selection)));
}

// A filter may read a million trials and select none, and the pump has other
// streams to drive, so each call selects only for a while.
std::optional<absl::Status> TrialSource::Next(std::deque<v1::Trial>* messages) {
  if (sent_ == found_.size() && !selection_.is_done()) {
    found_ = selection_.Next();
    sent_ = 0;
  }
  const StudySnapshot& study = selection_.study();
  std::size_t bytes = 0;
  for (; bytes < kTrialBytesAtOnce && sent_ < found_.size(); ++sent_) {
    messages->push_back(ToProto(study, *study.trials.Share(found_[sent_])));
    bytes += messages->back().ByteSizeLong();
  }
  if (sent_ == found_.size() && selection_.is_done()) return absl::OkStatus();
  return std::nullopt;
}

}  // namespace vernier
