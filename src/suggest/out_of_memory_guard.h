#ifndef VERNIER_SUGGEST_OUT_OF_MEMORY_GUARD_H_
#define VERNIER_SUGGEST_OUT_OF_MEMORY_GUARD_H_

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

/// Wraps a suggester: when memory runs out it returns INTERNAL and makes a new
/// one. Thread-safe.
class OutOfMemoryGuard final : public Suggester {
 public:
  /// `make` makes the wrapped suggester; any thread may call it.
  explicit OutOfMemoryGuard(std::function<std::unique_ptr<Suggester>()> make);

  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView& view,
                                                  int count) const override;
  absl::StatusOr<std::optional<Recommendation>> Recommend(
      const StudyView& view) const override;
  absl::StatusOr<std::vector<Prediction>> Predict(
      const StudyView& view,
      const std::vector<Parameters>& points) const override;
  absl::StatusOr<Insights> Examine(
      const StudyView& view, const InsightsRequest& request) const override;

 private:
  template <typename Call>
  auto Guarded(const Call& call) const;
  // Returns the wrapped suggester, which is made when first needed.
  std::shared_ptr<const Suggester> Guardee() const;

  const std::function<std::unique_ptr<Suggester>()> make_;
  mutable Mutex mu_;
  // Shared with calls under way, which may outlive its replacement.
  mutable std::shared_ptr<const Suggester> guardee_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_OUT_OF_MEMORY_GUARD_H_
