#include "suggest/out_of_memory_guard.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>

#include "suggest/suggester_factory.h"

namespace vernier {
namespace {

/// Has no memory for more than one point, and none at all from then on.
class HungrySuggester final : public Suggester {
 public:
  absl::StatusOr<std::vector<Suggestion>> Suggest(const StudyView&,
                                                  int count) const override {
    is_spoilt_ = is_spoilt_ || count > 1;
    if (is_spoilt_) throw std::bad_alloc();
    return std::vector<Suggestion>(1);
  }
  absl::StatusOr<std::optional<Recommendation>> Recommend(
      const StudyView&) const override {
    throw std::bad_alloc();
  }

 private:
  mutable bool is_spoilt_ = false;
};

TEST(OutOfMemoryGuardTest, AnswersAndStartsAfresh) {
  int made = 0;
  const OutOfMemoryGuard guard([&] {
    ++made;
    return std::make_unique<HungrySuggester>();
  });
  EXPECT_EQ(guard.Suggest({}, 1)->size(), 1u);
  EXPECT_EQ(guard.Suggest({}, 2).status(),
            absl::InternalError("not enough memory to choose a point"));
  EXPECT_EQ(guard.Suggest({}, 1)->size(), 1u);
  EXPECT_EQ(made, 2);
  EXPECT_TRUE(absl::IsInternal(guard.Recommend({}).status()));
  EXPECT_EQ(guard.Suggest({}, 1)->size(), 1u);
  EXPECT_EQ(made, 3);
}

TEST(OutOfMemoryGuardTest, GuardsEachAlgorithm) {
  for (const Algorithm algorithm :
       {Algorithm::kDefault, Algorithm::kRandomSearch,
        Algorithm::kQuasiRandomSearch, Algorithm::kGridSearch,
        Algorithm::kShuffledGridSearch}) {
    const auto suggester = MakeSuggester(algorithm);
    EXPECT_NE(dynamic_cast<const OutOfMemoryGuard*>(suggester.get()), nullptr);
  }
}

}  // namespace
}  // namespace vernier
