#include "cli/verbs/gcloud_settings.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(GcloudSettingsTest, AShellReadsEachValueAsItIs) {
  EXPECT_EQ(ExportLines({{"A", "plain"}, {"B", "it's $HOME"}}),
            "export A='plain'\nexport B='it'\\''s $HOME'\n");
}

}  // namespace
}  // namespace vernier
