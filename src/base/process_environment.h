#ifndef VERNIER_BASE_PROCESS_ENVIRONMENT_H_
#define VERNIER_BASE_PROCESS_ENVIRONMENT_H_

#include <map>
#include <string>

namespace vernier {

/// The value of a variable of this process; empty if it is not set. As
/// getenv(3), not for a thread beside one that changes the environment.
std::string EnvironmentVariable(const std::string& name);

/// All variables of `environ`, which is as in environ(7) or null, by name. Of
/// several with one name the last counts; what has no '=' is left out.
std::map<std::string, std::string> ParseEnvironment(const char* const* environ);

}  // namespace vernier

#endif  // VERNIER_BASE_PROCESS_ENVIRONMENT_H_
