// Parses any bytes, which give a job or errors; a job's JSON gives the same job
// again.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "study/job_file/job_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size == 0) return 0;
  vernier::ParseJobOptions options;
  options.file_name = "fuzz";
  options.require_job_id = (data[0] & 1) != 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1,
                              size - 1);
  std::vector<vernier::SpecError> errors;
  const auto job = vernier::ParseJob(text, options, &errors);
  VERNIER_CHECK(job.ok() == errors.empty());
  if (!job.ok()) return 0;
  const auto again = vernier::ParseJob(job->json, options);
  VERNIER_CHECK(again.ok());
  VERNIER_CHECK(again->json == job->json);
  return 0;
}
