#include "cli/display/service_trouble.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(ServiceTroubleTest, TellsItsBeginAndItsEndOnce) {
  ServiceTrouble trouble;
  EXPECT_EQ(trouble.Take(R"({"version":"1"})"), "");
  EXPECT_EQ(trouble.Take(R"({"waitingFor":"room on the disk: 3 KiB\nleft"})"),
            "the service waits for room on the disk: 3 KiB left; until then no "
            "result is stored and no trial begins");
  EXPECT_TRUE(trouble.is_there());
  EXPECT_EQ(trouble.Take(R"({"waitingFor":"room on the disk: 0 KiB left"})"),
            "");
  EXPECT_EQ(trouble.Take("no answer"), "");
  EXPECT_TRUE(trouble.is_there());
  EXPECT_EQ(trouble.Take("{}"),
            "the service has what it waited for; the job goes on");
  EXPECT_FALSE(trouble.is_there());
  EXPECT_EQ(trouble.Take("{}"), "");
}

}  // namespace
}  // namespace vernier
