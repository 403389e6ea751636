#ifndef VERNIER_TESTS_STORE_REPLAY_TABLE_COMPARISON_H_
#define VERNIER_TESTS_STORE_REPLAY_TABLE_COMPARISON_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "store/check/table_rows.h"

namespace vernier {

/// Reports a column whose value differs from the sum of the events.
class Comparison {
 public:
  Comparison(std::string subject, Violations* violations)
      : subject_(std::move(subject)), violations_(violations) {}

  template <typename Value>
  void Expect(const char* column, const Value& stored, const Value& replayed) {
    if (stored == replayed) return;
    violations_->push_back(absl::StrCat(subject_, ": ", column,
                                        " is not what the events add up to"));
  }
  void Missing() {
    violations_->push_back(subject_ + ": no event tells of it");
  }

 private:
  const std::string subject_;
  Violations* const violations_;
};

/// The name of a stored state.
template <typename State>
std::string NameOfState(std::int64_t number) {
  return std::string(ToString(static_cast<State>(number)));
}

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_REPLAY_TABLE_COMPARISON_H_
