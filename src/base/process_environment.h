#ifndef VERNIER_BASE_PROCESS_ENVIRONMENT_H_
#define VERNIER_BASE_PROCESS_ENVIRONMENT_H_

#include <map>
#include <string>

namespace vernier {

/// Returns the value of a variable of this process; empty if it is not set.
/// Like getenv(3), it must not be called while another thread changes the
/// environment.
std::string EnvironmentVariable(const std::string& name);

/// Returns all variables of `environ`, which is as in environ(7) or null, by
/// name. If a name occurs several times, the last one counts; entries without
/// '=' are left out.
std::map<std::string, std::string> ParseEnvironment(const char* const* environ);

}  // namespace vernier

#endif  // VERNIER_BASE_PROCESS_ENVIRONMENT_H_
