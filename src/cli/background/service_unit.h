#ifndef VERNIER_CLI_BACKGROUND_SERVICE_UNIT_H_
#define VERNIER_CLI_BACKGROUND_SERVICE_UNIT_H_

#include <string>
#include <vector>

namespace vernier {

/// Returns a systemd user unit that runs `program` with `words` in `work_dir`.
/// It starts the service at login or boot and again when it dies, and never
/// kills the supervisors of trials. Pure.
std::string ServiceUnit(const std::string& program,
                        const std::vector<std::string>& words,
                        const std::string& work_dir);

}  // namespace vernier

#endif  // VERNIER_CLI_BACKGROUND_SERVICE_UNIT_H_
