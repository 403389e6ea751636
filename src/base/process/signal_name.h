#ifndef VERNIER_BASE_PROCESS_SIGNAL_NAME_H_
#define VERNIER_BASE_PROCESS_SIGNAL_NAME_H_

#include <string_view>

namespace vernier {

/// The name of a signal of Linux, without "SIG": "KILL". Empty: it has none, as
/// real-time signals have none.
std::string_view SignalName(int number);

}  // namespace vernier

#endif  // VERNIER_BASE_PROCESS_SIGNAL_NAME_H_
