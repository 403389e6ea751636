#include "cli/imports/optuna_records.h"

#include <iterator>

namespace vernier {
namespace {

struct NamedState {
  const char* name;
  OptunaTrial::State state;
};
constexpr NamedState kStates[] = {{"RUNNING", OptunaTrial::State::kRunning},
                                  {"COMPLETE", OptunaTrial::State::kComplete},
                                  {"PRUNED", OptunaTrial::State::kPruned},
                                  {"FAIL", OptunaTrial::State::kFail},
                                  {"WAITING", OptunaTrial::State::kWaiting}};

}  // namespace

std::optional<OptunaTrial::State> OptunaStateNamed(const std::string& name) {
  for (const NamedState& each : kStates) {
    if (name == each.name) return each.state;
  }
  return std::nullopt;
}

std::optional<OptunaTrial::State> OptunaStateNumbered(std::int64_t number) {
  if (number < 0 || number >= std::ssize(kStates)) return std::nullopt;
  return kStates[number].state;
}

}  // namespace vernier
