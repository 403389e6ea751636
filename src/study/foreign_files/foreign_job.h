#ifndef VERNIER_STUDY_FOREIGN_FILES_FOREIGN_JOB_H_
#define VERNIER_STUDY_FOREIGN_FILES_FOREIGN_JOB_H_

#include <string>
#include <string_view>
#include <vector>

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"
#include "study/foreign_files/foreign_node.h"

namespace vernier {

/// Paths of a job file.
constexpr std::string_view kMetricPath =
    "trainingInput.hyperparameters.hyperparameterMetricTag";
constexpr std::string_view kGoalPath = "trainingInput.hyperparameters.goal";
constexpr std::string_view kTrialsPath =
    "trainingInput.hyperparameters.maxTrials";
constexpr std::string_view kParallelPath =
    "trainingInput.hyperparameters.maxParallelTrials";

/// Returns a message of the job file's reader without words that only job files
/// have. Pure.
std::string InForeignWords(const std::string& message);

/// Replaces the root of `tree`, a file of another tool, by the job file that
/// `expand` makes of it. `kind` is "an experiment of Determined". All values
/// keep their positions, and from here on `diagnostics` names the file's
/// fields. What has no effect here is left out with a reason; without what the
/// search would be another one is an error. Returns false if there are errors;
/// those that a job file can have, too, are left to its reader, in whose
/// messages `form` has no words that only job files have.
bool ExpandForeignFile(ConfigTree& tree, SpecDiagnostics& diagnostics,
                       std::string_view kind,
                       void (*expand)(const ForeignNode& file),
                       MessageForm form = &InForeignWords);

/// True for a mapping without any field of a job file or a study file.
bool IsOfAnotherTool(const ConfigNode* root);

/// Puts the name of the file into the job; one that a job cannot have is left
/// out.
void PutName(const ForeignNode& name);

/// Puts the goal, `text`, which is minimize or maximize; an error, `refusal`,
/// for anything else.
void PutGoal(const ForeignNode& goal, const std::string& text,
             std::string refusal);

/// Puts the number of trials, which is required, and how many run at once, if
/// that is there: no more than there are.
void PutTrials(const ForeignNode& trials, const ForeignNode& parallel);

/// Puts the text of a command line that another tool gives to a shell into the
/// job: its words if these are the same without a shell, else `shell`, -c and
/// the text. Returns true for words.
bool PutShellCommand(const ForeignNode& command, std::string_view shell);

/// Puts these words as the job's command.
void PutCommand(const ForeignNode& command,
                const std::vector<std::string>& words);

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_FOREIGN_JOB_H_
