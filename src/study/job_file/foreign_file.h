#ifndef VERNIER_STUDY_JOB_FILE_FOREIGN_FILE_H_
#define VERNIER_STUDY_JOB_FILE_FOREIGN_FILE_H_

#include <string>

#include "study/config/config_tree.h"

namespace vernier {

/// If `root` is the file of another tool for tuning hyperparameters, returns a
/// message with the tool, the page that shows the job file for it, and the
/// remedy; of a file that holds a sweep, such as a pipeline, the part to take
/// out. Returns "" for a job file, for null, and for anything else. A file
/// with any field of a job is a job file. Pure.
std::string ForeignFileMessage(const ConfigNode* root);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_FOREIGN_FILE_H_
