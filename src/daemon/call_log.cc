#include "daemon/call_log.h"

#include <chrono>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vernier {
namespace {

std::string Milliseconds(std::chrono::microseconds time) {
  constexpr double kMicroseconds = 1000;
  return absl::StrFormat("%.3f",
                         static_cast<double>(time.count()) / kMicroseconds);
}

}  // namespace

absl::StatusOr<LoggedCalls> ParseLoggedCalls(std::string_view text) {
  if (text == "none") return LoggedCalls::kNone;
  if (text == "failed") return LoggedCalls::kFailed;
  if (text == "all") return LoggedCalls::kAll;
  return absl::InvalidArgumentError(absl::StrCat(
      "logged calls must be none, failed or all: \"", std::string(text), "\""));
}

std::vector<LogField> CallFields(const CallRecord& call) {
  std::vector<LogField> fields = {
      {"request_id", call.request_id},
      {"transport", call.transport == Transport::kHttp ? "http" : "grpc"},
      {"method", call.method},
      {"status", call.code},
      {"duration_ms", Milliseconds(call.lasted), true}};
  const auto add = [&fields](const char* key, const std::string& value) {
    if (!value.empty()) fields.push_back({key, value});
  };
  add("principal", call.principal);
  add("job", call.job);
  if (call.trial > 0)
    fields.push_back({"trial", absl::StrCat(call.trial), true});
  if (call.caller.has_value()) add("trace_id", call.caller->trace_id);
  add("error", call.error);
  return fields;
}

void CallLog::Ended(const CallRecord& call) {
  if (which_ == LoggedCalls::kNone) return;
  const bool is_success = IsSuccess(call.code);
  if (is_success && which_ != LoggedCalls::kAll) return;
  int left_out = 0;
  if (!HasRoom(&left_out)) return;
  if (left_out > 0) {
    log_.Write(LogLevel::kWarning, "calls were left out of the log",
               {{"calls", absl::StrCat(left_out), true}});
  }
  log_.Write(IsServiceFault(call.code) ? LogLevel::kWarning : LogLevel::kInfo,
             is_success ? "call" : "call failed", CallFields(call));
}

bool CallLog::HasRoom(int* left_out) {
  constexpr std::chrono::seconds kWindow{1};
  const SteadyTime now = clock_.Steady();
  MutexLock lock(mu_);
  if (now - window_ >= kWindow) {
    window_ = now;
    lines_ = 0;
  }
  if (lines_ >= kMostPerSecond) {
    ++left_out_;
    return false;
  }
  ++lines_;
  *left_out = std::exchange(left_out_, 0);
  return true;
}

}  // namespace vernier
