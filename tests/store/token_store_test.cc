#include "store/access/token_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

using std::chrono::seconds;

const Timestamp kNow(seconds(1000));

class TokenStoreTest : public testing::Test {
 protected:
  void SetUp() override { Open(); }

  void Open() {
    store_.reset();
    auto store = TokenStore::Open(Path());
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
  }
  std::string Path() const { return folder_.path() + "/access.db"; }
  static TokenRecord Token(const std::string& id, char digit) {
    TokenRecord token;
    token.id = id;
    token.hash = std::string(64, digit);
    token.scope = TokenScope::kProjectWrite;
    token.project = "p1";
    token.may_run = true;
    token.label = "for \"tests\"";
    token.created_at = kNow;
    return token;
  }

  TemporaryFolder folder_;
  std::unique_ptr<TokenStore> store_;
};

TEST_F(TokenStoreTest, WhatWasAddedIsThereAfterwards) {
  TokenRecord token = Token("t1", 'a');
  token.expires_at = kNow + seconds(60);
  ASSERT_TRUE(store_->Add(token).ok());
  Open();
  const auto found = store_->Find(token.hash, kNow);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->id, "t1");
  EXPECT_EQ(found->scope, TokenScope::kProjectWrite);
  EXPECT_EQ(found->project, "p1");
  EXPECT_TRUE(found->may_run);
  EXPECT_EQ(found->label, "for \"tests\"");
  EXPECT_EQ(found->created_at, kNow);
  EXPECT_EQ(found->expires_at, kNow + seconds(60));
  EXPECT_FALSE(store_->Find(std::string(64, 'b'), kNow).has_value());
}

TEST_F(TokenStoreTest, ARevokedTokenIsListedAndNotFound) {
  ASSERT_TRUE(store_->Add(Token("t1", 'a')).ok());
  ASSERT_TRUE(store_->Revoke("t1", kNow + seconds(1)).ok());
  ASSERT_TRUE(store_->Revoke("t1", kNow + seconds(2)).ok());
  Open();
  EXPECT_FALSE(store_->Find(std::string(64, 'a'), kNow).has_value());
  ASSERT_EQ(store_->List().size(), 1u);
  EXPECT_EQ(store_->List()[0].revoked_at, kNow + seconds(1));
  EXPECT_TRUE(absl::IsNotFound(store_->Revoke("t2", kNow)));
}

TEST_F(TokenStoreTest, ATokenEndsWhenItExpires) {
  TokenRecord token = Token("t1", 'a');
  token.expires_at = kNow + seconds(60);
  ASSERT_TRUE(store_->Add(token).ok());
  EXPECT_TRUE(store_->Find(token.hash, kNow + seconds(59)).has_value());
  EXPECT_FALSE(store_->Find(token.hash, kNow + seconds(60)).has_value());
}

TEST_F(TokenStoreTest, RefusesWhatMakesNoSense) {
  ASSERT_TRUE(store_->Add(Token("t1", 'a')).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(store_->Add(Token("t1", 'b'))));
  EXPECT_TRUE(absl::IsAlreadyExists(store_->Add(Token("t2", 'a'))));
  TokenRecord admin = Token("t3", 'c');
  admin.scope = TokenScope::kAdmin;
  EXPECT_TRUE(absl::IsInvalidArgument(store_->Add(admin)));
  TokenRecord lost = Token("t4", 'd');
  lost.project.clear();
  EXPECT_TRUE(absl::IsInvalidArgument(store_->Add(lost)));
  EXPECT_EQ(store_->List().size(), 1u);
}

TEST_F(TokenStoreTest, TheSecretIsDrawnOnce) {
  const std::string first(64, '1');
  EXPECT_EQ(store_->Secret(first).value(), first);
  Open();
  EXPECT_EQ(store_->Secret(std::string(64, '2')).value(), first);
}

TEST_F(TokenStoreTest, NobodyElseReadsTheFile) {
  struct stat status {};
  ASSERT_EQ(stat(Path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(TokenStoreTest, ANewerFileIsLeftAlone) {
  store_.reset();
  {
    auto database = SqliteDatabase::Open(Path(), {});
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE((*database)->Execute("PRAGMA user_version = 9").ok());
  }
  EXPECT_TRUE(absl::IsFailedPrecondition(TokenStore::Open(Path()).status()));
}

TEST(TokenScopeTest, NamesComeBack) {
  for (TokenScope scope : {TokenScope::kAdmin, TokenScope::kProjectWrite,
                           TokenScope::kProjectRead}) {
    EXPECT_EQ(ParseTokenScope(ToString(scope)).value(), scope);
  }
  EXPECT_TRUE(absl::IsInvalidArgument(ParseTokenScope("root").status()));
}

}  // namespace
}  // namespace vernier
