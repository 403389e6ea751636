#ifndef VERNIER_BASE_CALLS_CURRENT_METER_H_
#define VERNIER_BASE_CALLS_CURRENT_METER_H_

namespace vernier {

class CallMeter;

/// Returns the meter that counts what this thread does, so that another thread
/// can continue the call with it (CallMeterScope) once this one does nothing
/// more for the call. Null outside of a call.
CallMeter* CurrentMeter();

}  // namespace vernier

#endif  // VERNIER_BASE_CALLS_CURRENT_METER_H_
