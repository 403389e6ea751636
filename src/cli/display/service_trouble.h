#ifndef VERNIER_CLI_DISPLAY_SERVICE_TROUBLE_H_
#define VERNIER_CLI_DISPLAY_SERVICE_TROUBLE_H_

#include <string>
#include <string_view>

namespace vernier {

/// Informs a user who follows a job that its service cannot store anything, for
/// instance on a full disk: one line when that begins and one when it ends.
/// Pure except for its memory; not thread-safe.
class ServiceTrouble {
 public:
  /// Takes the answer of GetServiceInfo; returns the line to print, or empty.
  std::string Take(std::string_view service_info);

  /// Returns whether the last answer reported trouble.
  bool is_there() const { return is_there_; }

 private:
  bool is_there_ = false;
};

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_SERVICE_TROUBLE_H_
