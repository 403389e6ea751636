#include "trials/client_data.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

TEST(ClientDataTest, HasTheChoicesInThePackagesForm) {
  EXPECT_EQ(ClientDataOf({}), "");
  EXPECT_EQ(ClientDataOf({{{":attributes", "a"}, {true, "[1]"}},
                          {{kChoicesNamespace, "b"}, {true, "[true, null]"}},
                          {{kChoicesNamespace, "c"}, {true, "[NaN,0.5,\"x\"]"}},
                          {{kChoicesNamespace, "d"}, {true, "not JSON"}},
                          {{":vernier.other", "e"}, {true, "[1]"}}}),
            R"({"choices":{"b":[true,null],"c":[NaN,0.5,"x"]}})");
}

TEST(ClientDataTest, LeavesOutWhatIsTooLong) {
  const std::string many =
      "[\"" + std::string(kMostClientData, 'a') + "\",true]";
  EXPECT_EQ(ClientDataOf({{{kChoicesNamespace, "b"}, {true, many}}}), "");
}

}  // namespace
}  // namespace vernier
