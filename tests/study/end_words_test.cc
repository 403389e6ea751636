#include "study/words/end_words.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

std::string Exit(const std::string& status) {
  return "The replica master 0 exited with a non-zero status of " + status +
         ". Termination reason: Error.";
}

TEST(EndWordsTest, ATracebackSaysItAll) {
  EXPECT_EQ(PlainEnd(Exit("1") +
                     "\nTraceback (most recent call last):\nKeyError: 'lr'\n"),
            "Traceback (most recent call last):\nKeyError: 'lr'\n");
}

TEST(EndWordsTest, WithoutOneTheStatusIsAllThatIsKnown) {
  EXPECT_EQ(PlainEnd(Exit("3")), "Its program ended with exit status 3.");
  EXPECT_EQ(PlainEnd(Exit("3") + "\n \n"),
            "Its program ended with exit status 3.\n \n");
  EXPECT_EQ(PlainEnd(Exit("11(SIGSEGV)")), "Its program ended with SIGSEGV.");
}

TEST(EndWordsTest, WhatElseIsKnownIsKept) {
  EXPECT_EQ(PlainEnd(Exit("1") + " A disk is full; its log says: no space.\nx"),
            "Its program ended with exit status 1. A disk is full; its log "
            "says: no space.\nx");
  EXPECT_EQ(PlainEnd("The replica worker 2 exited with a non-zero status of 9."
                     " Termination reason: Error.\nx"),
            "Its worker 2 ended with exit status 9.\nx");
  EXPECT_EQ(PlainEnd("The replica master 0 ran out-of-memory and exited with a "
                     "non-zero status of 9(SIGKILL)."),
            "Its program needed more memory than there is and was killed "
            "(SIGKILL).");
  EXPECT_EQ(PlainEnd("The replica master 0 was stopped on request and ended "
                     "with status 15(SIGTERM)."),
            "Its program was stopped on request.");
  EXPECT_EQ(PlainEnd("The replica master 0 could not be started: a.py: No such "
                     "file or directory"),
            "Its program could not be started: a.py: No such file or "
            "directory");
}

TEST(EndWordsTest, ReadsOnWithinASentence) {
  EXPECT_EQ(PlainEnd("no trial succeeded; the last one, trial 3: " + Exit("1") +
                     "\nKeyError: 'lr'"),
            "no trial succeeded; the last one, trial 3: its program ended with "
            "exit status 1.\nKeyError: 'lr'");
}

TEST(EndWordsTest, OtherWordsAreKept) {
  for (const std::string text :
       {"", "it ran longer than it may", "The replica ", "The replica a b",
        "The replica master 0 was kind.\nx",
        "see The replica master 0 exited"}) {
    EXPECT_EQ(PlainEnd(text), text);
  }
}

TEST(EndWordsTest, AClauseHasNoFullStop) {
  EXPECT_EQ(PlainEndClause(Exit("75") + " It asked for another try.\nx"),
            "its program ended with exit status 75. It asked for another try");
  EXPECT_EQ(PlainEndClause("the machine was restarted\nmore"),
            "the machine was restarted");
  EXPECT_EQ(PlainEndClause(""), "");
}

}  // namespace
}  // namespace vernier
