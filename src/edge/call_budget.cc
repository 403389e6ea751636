#include "edge/call_budget.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// Memory is reserved in pieces of this size, so that a row costs no lock.
constexpr std::uint64_t kPiece = std::uint64_t{256} << 10;

}  // namespace

void CallBudget::Begin() { began_ = clock_.Steady(); }

absl::Status CallBudget::Use(const CallCost& cost) {
  if (is_abandoned_) return absl::CancelledError("its client has left");
  if (share_ == nullptr) return absl::OkStatus();
  rows_ += cost.rows;
  if (rows_ > limits_.rows) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a call may read ", limits_.rows,
                     " rows; ask for less at once, in pages or with a filter"));
  }
  if (clock_.Steady() - began_ > limits_.time) {
    return absl::DeadlineExceededError(absl::StrCat(
        "a call may take ",
        std::chrono::duration_cast<std::chrono::seconds>(limits_.time).count(),
        " s; ask for less at once, in pages or with a filter"));
  }
  bytes_ += cost.bytes;
  return Reserve(bytes_);
}

absl::Status CallBudget::Reserve(std::uint64_t bytes) {
  if (bytes <= reserved_) return absl::OkStatus();
  const std::uint64_t more = std::max(bytes - reserved_, kPiece);
  VERNIER_RETURN_IF_ERROR(share_->Reserve(more));
  reserved_ += more;
  return absl::OkStatus();
}

}  // namespace vernier
