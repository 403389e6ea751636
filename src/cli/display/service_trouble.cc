#include "cli/display/service_trouble.h"

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "cli/text/terminal_text.h"

namespace vernier {

std::string ServiceTrouble::Take(std::string_view service_info) {
  const absl::StatusOr<Json> info = ParseJson(service_info);
  if (!info.ok() || !info->is_object()) return "";
  const std::string waits_for =
      Printable(info->value("waitingFor", ""), LineBreaks::kToBlanks);
  const bool was_there = is_there_;
  is_there_ = !waits_for.empty();
  // The text may change all the time, as the free space does, so it is not
  // compared.
  if (is_there_ == was_there) return "";
  return is_there_
             ? absl::StrCat("the service waits for ", waits_for,
                            "; until then no result is stored and no trial "
                            "begins")
             : "the service has what it waited for; the job goes on";
}

}  // namespace vernier
