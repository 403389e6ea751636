#ifndef VERNIER_STUDY_FOREIGN_FILES_FOREIGN_PROGRAM_H_
#define VERNIER_STUDY_FOREIGN_FILES_FOREIGN_PROGRAM_H_

#include <string>
#include <string_view>

#include "study/config/config_tree.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// Puts a command line that another tool gives to a shell into
/// `vernier.command` of a job file: its words if these are the same without a
/// shell, else `shell`, -c and the text. Returns true for words.
bool PutShellCommand(const std::string& text, std::string_view word,
                     const ConfigPosition& position, std::string_view shell,
                     JobTree* job);

/// Puts the name of another tool's file into the job, if it can be one.
/// Returns false if it cannot.
bool PutJobName(const ConfigNode& name, std::string_view word, JobTree* job);

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_FOREIGN_PROGRAM_H_
