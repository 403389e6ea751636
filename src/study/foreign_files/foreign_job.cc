#include "study/foreign_files/foreign_job.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "study/job_id.h"
#include "study/study_file/job_tree.h"
#include "study/study_file/value_forms.h"

namespace vernier {
namespace {

// Words that only job files have.
constexpr auto kForeignWords =
    std::to_array<std::pair<const char*, const char*>>(
        {{"give it as vernier.command, "
          "trainingInput.masterConfig.containerCommand, "
          "trainingInput.masterConfig.imageUri or trainingInput.pythonModule",
          "give it on the command line: vernier run --config FILE -- python3 "
          "train.py"},
         {"maxValue - minValue", "the range"},
         {"minValue", "the lowest value"},
         {"maxValue", "the highest value"},
         {"maxTrials", "the number of trials"},
         {"params", "the parameters"},
         {"scaleType UNIT_LOG_SCALE", "a log scale"},
         {"scaleType UNIT_REVERSE_LOG_SCALE", "a reverse log scale"},
         {"type DOUBLE", "a number"},
         {"type INTEGER", "a whole number"},
         {"type CATEGORICAL", "categories"},
         {"type DISCRETE", "a list of numbers"}});

}  // namespace

std::string InForeignWords(const std::string& message) {
  return absl::StrReplaceAll(message, kForeignWords);
}

bool ExpandForeignFile(ConfigTree& tree, SpecDiagnostics& diagnostics,
                       std::string_view kind,
                       void (*expand)(const ForeignNode& file),
                       MessageForm form) {
  JobTree job(&tree, &diagnostics, tree.root->position);
  job.Make("trainingInput");
  const ForeignTarget target = {&job, &diagnostics, kind};
  expand(ForeignNode(&target, *tree.root));
  tree.root = job.root();
  diagnostics.Rename(job.TakeWords(), form);
  return !diagnostics.has_errors();
}

bool IsOfAnotherTool(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  for (const char* field : {"jobId", "trainingInput", "vernier", "run"}) {
    if (root->Find(field) != nullptr) return false;
  }
  return true;
}

void PutName(const ForeignNode& name) {
  if (IsJobName(name.text())) return name.Put("jobId");
  if (name) name.LeaveOut("can be no job's name here; give one with --name");
}

void PutGoal(const ForeignNode& goal, const std::string& text,
             std::string refusal) {
  if (text != "minimize" && text != "maximize") {
    return goal.value().Error(std::move(refusal));
  }
  goal.PutText(kGoalPath, absl::AsciiStrToUpper(text));
}

void PutTrials(const ForeignNode& trials, const ForeignNode& parallel) {
  if (!trials) return trials.Error("is required: a job has a last trial");
  trials.Put(kTrialsPath);
  if (!parallel) return;
  const std::optional<double> most = trials.number();
  const std::optional<double> wanted = parallel.number();
  const bool is_more =
      wanted.has_value() && most.has_value() && *wanted > *most;
  parallel.With(is_more ? trials.get() : parallel.get()).Put(kParallelPath);
}

bool PutShellCommand(const ForeignNode& command, std::string_view shell) {
  const auto words = SplitCommand(command.text());
  PutCommand(command, words.ok()
                          ? *words
                          : std::vector<std::string>{std::string(shell), "-c",
                                                     command.text()});
  return words.ok();
}

void PutCommand(const ForeignNode& command,
                const std::vector<std::string>& words) {
  ConfigNode* const list = command.job().List(command.at());
  for (const std::string& word : words) {
    list->items.push_back(command.job().Text(word, command.at()));
  }
  command.With(list).Put("vernier.command");
}

}  // namespace vernier
