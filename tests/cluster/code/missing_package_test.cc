#include "cluster/code/missing_package.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

TEST(MissingPackageTest, SaysWhatIsWrongWithAnImport) {
  struct Case {
    const char* log;
    const char* said;  ///< nullptr: nothing.
  };
  const Case cases[] = {
      {"ModuleNotFoundError: No module named 'vernier'", "vernier_hpo as vn)."},
      {"/usr/bin/python3: No module named vernier", "vernier_hpo as vn)."},
      {"AttributeError: module 'vernier' has no attribute 'create_study'",
       "the vernier that is installed is another project's"},
      {"ImportError: cannot import name 'report' from 'vernier' "
       "(/v/lib/python3.11/site-packages/vernier/__init__.py)",
       "the vernier that is installed is another project's"},
      {"ModuleNotFoundError: No module named 'vernier.integration'",
       "the vernier that is installed is another project's"},
      {"ModuleNotFoundError: No module named 'vernier_hpo'",
       "pip install vernier-hpo"},
      {"python3: Error while finding module specification for "
       "'vernier_hpo._trial_main' (ModuleNotFoundError: No module named "
       "'vernier_hpo')",
       "pip install vernier-hpo"},
      {"ModuleNotFoundError: No module named 'vernier_report'",
       "vernier_report.py"},
      // The other project's own mistakes, and other packages.
      {"AttributeError: module 'vernier' has no attribute 'evaluate'", nullptr},
      {"ModuleNotFoundError: No module named 'vernier.panoptic'", nullptr},
      {"ModuleNotFoundError: No module named 'vernierpygatt'", nullptr},
      {"ModuleNotFoundError: No module named 'torch'", nullptr},
      {"No module named ", nullptr},
      {"", nullptr},
  };
  for (const auto& [log, said] : cases) {
    const std::string text =
        MissingPackageText(std::string("epoch 1\n") + log + "\n");
    if (said == nullptr) {
      EXPECT_EQ(text, "") << log;
    } else {
      EXPECT_NE(text.find(said), std::string::npos) << log << ": " << text;
    }
  }
}

TEST(MissingPackageTest, ReadsOnPastWhatElseIsMissing) {
  EXPECT_NE(MissingPackageText("No module named 'apex'\n"
                               "No module named 'vernier_hpo'\n"),
            "");
}

}  // namespace
}  // namespace vernier
