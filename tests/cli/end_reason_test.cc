#include "cli/display/end_reason.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

constexpr char kExit[] =
    "The replica master 0 exited with a non-zero status of 1. Termination "
    "reason: Error.\n";

TEST(EndReasonTest, SaysHowTheProgramEnded) {
  EXPECT_EQ(EndReason("user_error", kExit), "user error: exit status 1");
  EXPECT_EQ(EndReason("user_error",
                      "The replica worker 2 exited with a non-zero status of "
                      "11(SIGSEGV). Termination reason: Error."),
            "user error: worker 2: SIGSEGV");
  EXPECT_EQ(EndReason("out_of_memory",
                      "The replica master 0 ran out-of-memory and exited with "
                      "a non-zero status of 9(SIGKILL)."),
            "out of memory: SIGKILL");
  EXPECT_EQ(EndReason("launch_failed",
                      "The replica master 0 could not be started: cannot find "
                      "the program \"x\" in PATH=/bin"),
            "launch failed: cannot find the program \"x\" in PATH=/bin");
}

TEST(EndReasonTest, EndsWithWhatTheProgramPrintedLast) {
  const std::string exit = kExit;
  EXPECT_EQ(EndReason("user_error", exit + "loading\nno module torch\n\n"),
            "user error: exit status 1: no module torch");
  // The exception, and neither what it says below nor an earlier one.
  EXPECT_EQ(EndReason("user_error",
                      exit + "Traceback (most recent call last):\n"
                             "  File \"a.py\", line 3\nKeyError: 'a'\n\nDuring "
                             "handling of that:\n\n"
                             "Traceback (most recent call last):\n"
                             "  File \"a.py\", line 5, in f\n"
                             "ValueError: lr is too high\nreally\n"),
            "user error: exit status 1: ValueError: lr is too high");
}

TEST(EndReasonTest, KeepsOtherMessages) {
  EXPECT_EQ(EndReason("", ""), "");
  EXPECT_EQ(EndReason("success", "fine"), "");
  EXPECT_EQ(EndReason("cancelled", ""), "cancelled");
  EXPECT_EQ(EndReason("time_limit", "it ran longer than it may\nlog"),
            "time limit: it ran longer than it may");
  EXPECT_EQ(EndReason("stopped_early", "The replica master 0 was stopped."),
            "stopped early: The replica master 0 was stopped.");
  EXPECT_EQ(EndReason("user_error", "The replica "),
            "user error: The replica ");
}

}  // namespace
}  // namespace vernier
