#include "study/foreign_files/foreign_program.h"

#include <vector>

#include "study/job_id.h"
#include "study/study_file/value_forms.h"

namespace vernier {

bool PutShellCommand(const std::string& text, std::string_view word,
                     const ConfigPosition& position, std::string_view shell,
                     JobTree* job) {
  auto words = SplitCommand(text);
  const bool is_split = words.ok();
  if (!is_split)
    words = std::vector<std::string>{std::string(shell), "-c", text};
  ConfigNode* const list = job->List(position);
  for (const std::string& each : *words) {
    list->items.push_back(job->Text(each, position));
  }
  job->Put("vernier.command", word, position, list);
  return is_split;
}

bool PutJobName(const ConfigNode& name, std::string_view word, JobTree* job) {
  if (!IsJobName(name.scalar)) return false;
  job->Put("jobId", word, name.position, &name);
  return true;
}

}  // namespace vernier
