#ifndef VERNIER_CLI_DISPLAY_DEVICE_TEXT_H_
#define VERNIER_CLI_DISPLAY_DEVICE_TEXT_H_

#include <string>

namespace vernier {

/// Returns a text such as "79.6 GB" for a device's memoryBytes; empty if it is
/// unknown.
std::string MemoryText(const std::string& bytes);

/// Returns "OK", or why a device is not given to trials: "SICK: it ...", or
/// "WAITS: it ..." if that will pass by itself. `trouble` is its
/// unusableBecause.
std::string ConditionText(const std::string& trouble, bool is_sick);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_DEVICE_TEXT_H_
