#include "base/calls/call_meter.h"

#include "base/calls/current_meter.h"

namespace vernier {
namespace {

thread_local CallMeter* of_this_thread = nullptr;

}  // namespace

CallMeterScope::CallMeterScope(CallMeter* meter) : before_(of_this_thread) {
  of_this_thread = meter;
}

CallMeterScope::~CallMeterScope() { of_this_thread = before_; }

CallMeter* CurrentMeter() { return of_this_thread; }

absl::Status UseInCall(const CallCost& cost) {
  return of_this_thread == nullptr ? absl::OkStatus()
                                   : of_this_thread->Use(cost);
}

}  // namespace vernier
