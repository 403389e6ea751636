#include "suggest/out_of_memory_guard.h"

#include <new>
#include <utility>

#include "absl/status/status.h"

namespace vernier {

OutOfMemoryGuard::OutOfMemoryGuard(
    std::function<std::unique_ptr<Suggester>()> make)
    : make_(std::move(make)) {}

std::shared_ptr<const Suggester> OutOfMemoryGuard::Guardee() const {
  const MutexLock lock(mu_);
  if (guardee_ == nullptr) guardee_ = make_();
  return guardee_;
}

template <typename Call>
auto OutOfMemoryGuard::Guarded(const Call& call) const {
  // This is the only place that catches std::bad_alloc. A study whose model
  // does not fit into the free memory must not end the process, which serves
  // other studies.
  try {
    return call(*Guardee());
  } catch (const std::bad_alloc&) {
    const MutexLock lock(mu_);
    guardee_ = nullptr;  // Its memory is large, and may be half made.
    return decltype(call(*guardee_))(
        absl::InternalError("not enough memory to choose a point"));
  }
}

absl::StatusOr<std::vector<Suggestion>> OutOfMemoryGuard::Suggest(
    const StudyView& view, int count) const {
  return Guarded(
      [&](const Suggester& guardee) { return guardee.Suggest(view, count); });
}

absl::StatusOr<std::optional<Recommendation>> OutOfMemoryGuard::Recommend(
    const StudyView& view) const {
  return Guarded(
      [&](const Suggester& guardee) { return guardee.Recommend(view); });
}

absl::StatusOr<std::vector<Prediction>> OutOfMemoryGuard::Predict(
    const StudyView& view, const std::vector<Parameters>& points) const {
  return Guarded(
      [&](const Suggester& guardee) { return guardee.Predict(view, points); });
}

absl::StatusOr<Insights> OutOfMemoryGuard::Examine(
    const StudyView& view, const InsightsRequest& request) const {
  return Guarded(
      [&](const Suggester& guardee) { return guardee.Examine(view, request); });
}

}  // namespace vernier
