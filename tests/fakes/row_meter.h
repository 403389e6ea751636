#ifndef VERNIER_TESTS_FAKES_ROW_METER_H_
#define VERNIER_TESTS_FAKES_ROW_METER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/calls/call_meter.h"

namespace vernier {

/// A call that may read a limited number of rows. Not thread-safe.
class RowMeter final : public CallMeter {
 public:
  explicit RowMeter(std::int64_t rows) : left_(rows) {}

  absl::Status Use(const CallCost& cost) override {
    left_ -= cost.rows;
    return left_ >= 0 ? absl::OkStatus()
                      : absl::ResourceExhaustedError("a call may read less");
  }

 private:
  std::int64_t left_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FAKES_ROW_METER_H_
