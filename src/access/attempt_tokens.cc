#include "access/attempt_tokens.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "access/token_text.h"
#include "base/whole_number.h"
#include "store/study_names.h"

namespace vernier {
namespace {

constexpr std::string_view kPrefix = "vernier-attempt_";

std::string NameOf(const AttemptKey& attempt) {
  return absl::StrCat(ToInt(attempt.study), "-", ToInt(attempt.trial), "-",
                      attempt.number);
}

std::optional<std::int64_t> ParseNumber(const std::string& text) {
  const auto number = ParseWholeNumber(text);
  return number.has_value() && *number >= 1 ? number : std::nullopt;
}

std::optional<AttemptKey> ParseName(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '-');
  if (parts.size() != 3) return std::nullopt;
  const auto study = ParseNumber(parts[0]);
  const auto trial = ParseNumber(parts[1]);
  const auto number = ParseNumber(parts[2]);
  if (!study || !trial || !number || *number > INT32_MAX) return std::nullopt;
  return AttemptKey{StudyId(*study), TrialId(*trial),
                    static_cast<int>(*number)};
}

const AttemptRecord* FindLive(const StoreSnapshot& snapshot,
                              const AttemptKey& key) {
  const auto study = snapshot.find(key.study);
  if (study == snapshot.end()) return nullptr;
  const TrialList& trials = study->second->trials;
  if (static_cast<std::size_t>(ToInt(key.trial)) > trials.size()) {
    return nullptr;
  }
  // The attempts of a trial that has ended have ended, too.
  if (IsTerminal(trials.Brief(key.trial).state)) return nullptr;
  const auto& attempts = trials.Get(key.trial).attempts;
  if (static_cast<std::size_t>(key.number) > attempts.size()) return nullptr;
  const AttemptRecord& attempt =
      attempts[static_cast<std::size_t>(key.number - 1)];
  return IsTerminal(attempt.state) ? nullptr : &attempt;
}

}  // namespace

std::string AttemptTokens::For(const AttemptKey& attempt,
                               const std::string& nonce) const {
  const std::string name = NameOf(attempt);
  return absl::StrCat(std::string(kPrefix), name, "_",
                      KeyedHash(secret_, absl::StrCat(name, "/", nonce)));
}

bool AttemptTokens::IsOne(std::string_view token) {
  return token.substr(0, kPrefix.size()) == kPrefix;
}

absl::StatusOr<Principal> AttemptTokens::Authenticate(
    std::string_view token) const {
  const absl::Status refused =
      absl::UnauthenticatedError("the token is not that of a live attempt");
  if (!IsOne(token)) return refused;
  const std::string rest(token.substr(kPrefix.size()));
  const auto key = ParseName(rest.substr(0, rest.find('_')));
  if (!key.has_value()) return refused;
  const auto snapshot = store_.Snapshot();
  const AttemptRecord* attempt = FindLive(*snapshot, *key);
  if (attempt == nullptr ||
      !EqualsInConstantTime(For(*key, attempt->nonce), token)) {
    return refused;
  }
  Principal principal;
  principal.role = Principal::Role::kAttempt;
  principal.project = ProjectOf(*snapshot->at(key->study));
  principal.name = "attempt " + NameOf(*key);
  principal.attempt = key;
  return principal;
}

}  // namespace vernier
