#include "cli/submission/program_check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cluster/in_place_command.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

/// A code folder with train.py, a program in bin/, and a folder for PATH.
class ProgramCheckTest : public ::testing::Test {
 protected:
  ProgramCheckTest() {
    WriteText(code_ / "train.py", "");
    WriteText(code_ / "bin/train", "#!/bin/sh\n");
    WriteText(path_ / "python3", "");
    for (const std::string& file : {code_ / "bin/train", path_ / "python3"}) {
      std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }
  }

  ParsedJob JobOf(const std::vector<std::string>& command) const {
    ParsedJob job;
    job.spec.vernier.command = command;
    job.spec.vernier.code_dir = code_.path();
    job.spec.vernier.caller_environment["PATH"] = path_.path();
    return job;
  }
  std::string Check(const ParsedJob& job) const {
    return std::string(CheckProgram(job, code_.path()).message());
  }
  std::string CheckCommand(const std::vector<std::string>& command) const {
    return Check(JobOf(command));
  }

  const ScratchFolder code_;
  const ScratchFolder path_;
};

TEST_F(ProgramCheckTest, TakesWhatTheTrialsWillFind) {
  const std::vector<std::vector<std::string>> commands = {
      {"python3", "train.py"},
      {"python3", "-u", "-X", "dev", "train.py", "--flag"},
      {"python3", code_ / "train.py"},
      {"python3", "-m", "trainer.task"},
      {"python3", "-c", "print(1)"},
      {"python3", "bin"},
      {"python3"},
      {"./bin/train", "no_file"},
      {"bin/train"},
      {code_ / "bin/train"},
      {}};
  for (const auto& command : commands) {
    EXPECT_EQ(CheckCommand(command), "")
        << (command.empty() ? "no command" : command.back());
  }
}

TEST_F(ProgramCheckTest, SaysWhereItLookedForAScript) {
  EXPECT_EQ(CheckCommand({"python3", "-u", "nosuch.py"}),
            "cannot find \"nosuch.py\" in the code folder " + code_.path() +
                "; nothing was submitted");
  ParsedJob job = JobOf({"python3", "nosuch.py"});
  job.spec.vernier.code_dir.clear();
  EXPECT_EQ(Check(job), "cannot find \"nosuch.py\" in the working directory " +
                            code_.path() + "; nothing was submitted");
  EXPECT_EQ(CheckProgram(job, "").message(),
            "cannot find \"nosuch.py\"; the job has no code folder "
            "(vernier.codeDir); nothing was submitted");
}

TEST_F(ProgramCheckTest, SaysThatAScriptWouldNotBeCopied) {
  WriteText(code_ / ".vernierignore", "train*\n");
  const std::string message = CheckCommand({"python3", "train.py"});
  EXPECT_NE(message.find("would not be copied, because of line 1 of "
                         ".vernierignore"),
            std::string::npos)
      << message;
}

TEST_F(ProgramCheckTest, LooksWhereAProgramRunsInPlace) {
  const auto check = [this](const std::vector<std::string>& command) {
    ParsedJob job = JobOf(CommandInFolder(code_.path(), command));
    job.spec.vernier.code_dir = "";
    return Check(job);
  };
  EXPECT_EQ(check({"python3", "train.py"}), "");
  EXPECT_EQ(check({"./bin/train"}), "");
  EXPECT_NE(check({"python3", "nosuch.py"}).find("nosuch.py"),
            std::string::npos);
}

TEST_F(ProgramCheckTest, SaysWhereItLookedForAProgram) {
  EXPECT_EQ(CheckCommand({"nosuch"}),
            "cannot find the program \"nosuch\" in PATH=" + path_.path() +
                "; nothing was submitted");
  EXPECT_EQ(CheckCommand({"train.py"}),
            "cannot find the program \"train.py\" in PATH=" + path_.path() +
                "; nothing was submitted; the file here is ./train.py");
  EXPECT_EQ(CheckCommand({"./nosuch"}),
            "cannot find \"./nosuch\" in the code folder " + code_.path() +
                "; nothing was submitted");
  EXPECT_EQ(CheckCommand({"/nosuch/program"}),
            "there is no program /nosuch/program; nothing was submitted");
  EXPECT_EQ(CheckCommand({"./train.py"}),
            "cannot run " + code_.path() +
                "/./train.py: Permission denied; nothing was submitted");
}

TEST_F(ProgramCheckTest, LooksInThePathThatTheTrialsGet) {
  ParsedJob job = JobOf({"train"});
  EXPECT_NE(Check(job), "");
  job.spec.vernier.environment["PATH"] = code_ / "bin";
  EXPECT_EQ(Check(job), "");
  job.secrets["PATH"] = path_.path();
  EXPECT_NE(Check(job), "");
}

TEST_F(ProgramCheckTest, TrustsWhatCannotBeKnownYet) {
  ParsedJob job = JobOf({"installed-by-a-package"});
  job.spec.training_input.package_uris = {"/packages/trainer.tar.gz"};
  EXPECT_EQ(Check(job), "");
  job = JobOf({"python3", "nosuch.py"});
  job.spec.vernier.code_dir = "/no/such/folder";
  EXPECT_EQ(Check(job), "");
}

}  // namespace
}  // namespace vernier
