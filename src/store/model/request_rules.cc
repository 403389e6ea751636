// Calls that may be repeated: the transaction that makes the answer also binds
// the call's id to it.

#include <string>

#include "absl/strings/str_cat.h"
#include "store/model/change_rules.h"

namespace vernier {

absl::StatusOr<const RememberedRequest*> FindAnswered(
    const ChangeContext& context, const std::string& request_id,
    std::uint64_t digest) {
  if (request_id.empty()) return nullptr;
  const RememberedRequest* const seen = context.state.FindRequest(request_id);
  if (seen == nullptr || seen->digest == digest) return seen;
  return absl::InvalidArgumentError(
      absl::StrCat("request id was used for something else: ", request_id));
}

void Remember(const std::string& request_id, const RememberedRequest& answer,
              ChangeContext& context) {
  if (request_id.empty()) return;
  context.state.RememberRequest(request_id, answer);
  context.effects.requests.push_back(request_id);
}

}  // namespace vernier
