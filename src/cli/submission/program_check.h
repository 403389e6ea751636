#ifndef VERNIER_CLI_SUBMISSION_PROGRAM_CHECK_H_
#define VERNIER_CLI_SUBMISSION_PROGRAM_CHECK_H_

#include <string>

#include "absl/status/status.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// Checks that the trials of a job will find its program, and the script after
/// a Python interpreter, if they run on this machine; otherwise every trial
/// would fail at once. A program that cannot be checked yet, such as one that
/// the job's packages install, counts as found.
///
/// `working_directory` is the folder in which a program of the command line was
/// meant to be; empty if the job's file names the program. INVALID_ARGUMENT
/// says what was not found and which places were searched.
absl::Status CheckProgram(const ParsedJob& job,
                          const std::string& working_directory);

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_PROGRAM_CHECK_H_
