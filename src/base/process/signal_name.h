#ifndef VERNIER_BASE_PROCESS_SIGNAL_NAME_H_
#define VERNIER_BASE_PROCESS_SIGNAL_NAME_H_

#include <string_view>

namespace vernier {

/// Returns the name of a signal of Linux, without "SIG": "KILL". Empty if it
/// has none, such as a real-time signal.
std::string_view SignalName(int number);

}  // namespace vernier

#endif  // VERNIER_BASE_PROCESS_SIGNAL_NAME_H_
