#include "study/job_name_rule.h"

#include "study/job_id.h"

namespace vernier {

bool IsAiPlatformJobName(std::string_view text) {
  return IsJobName(text) && text.find('-') == std::string_view::npos;
}

}  // namespace vernier
