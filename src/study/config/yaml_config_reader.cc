// Turns yaml-cpp's events into a ConfigTree. Its events, unlike its nodes,
// distinguish quoted from plain texts and carry a position each.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <cstddef>
#include <exception>
#include <istream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "base/shown_text.h"
#include "study/config/config_reader.h"
#include "study/config/config_tree_builder.h"
#include "study/config/yaml_problem.h"

namespace vernier {
namespace {

// Thrown to leave yaml-cpp's parser from within an event, because it offers no
// other way. The reason has been reported.
struct GiveUp {};

ConfigPosition ToPosition(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {"", mark.line + 1, mark.column + 1};
}

// True for the tags of YAML's core schema, which are skipped: the field itself
// decides the type of its value.
bool IsOrdinaryTag(const std::string& tag) {
  return tag.empty() || tag == "?" || tag == "!" ||
         (tag.starts_with("tag:yaml.org,2002:") && !tag.ends_with(":binary"));
}

class TreeHandler final : public YAML::EventHandler {
 public:
  TreeHandler(ConfigTree& tree, SpecDiagnostics& diagnostics)
      : diagnostics_(diagnostics), builder_(tree, diagnostics) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++num_documents_ == 1) return;
    Fail(mark, "a job file holds one document, but a second one begins here");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (builder_.ExpectsKey()) Fail(mark, "a field's name must not be empty");
    Require(builder_.AddNull(ToPosition(mark)));
    Remember(anchor, builder_.last());
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const ConfigNode* node =
        anchor < anchors_.size() ? anchors_[anchor] : nullptr;
    if (node == nullptr)
      Fail(mark, "an alias must not stand inside its anchor");
    if (!builder_.ExpectsKey()) {
      Require(builder_.AddShared(ToPosition(mark), *node));
    } else if (node->kind == ConfigNode::Kind::kScalar) {
      builder_.Key(ToPosition(mark), node->scalar);
    } else {
      Fail(mark, "a field's name must be a single value");
    }
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag,
                YAML::anchor_t anchor, const std::string& value) override {
    RequireOrdinary(mark, tag);
    if (builder_.ExpectsKey()) {
      builder_.Key(ToPosition(mark), value);
      return;
    }
    Require(builder_.AddScalar(ToPosition(mark), value, tag == "?"));
    Remember(anchor, builder_.last());
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(ConfigNode::Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(ConfigNode::Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override { Close(); }

 private:
  [[noreturn]] void Fail(const YAML::Mark& mark, std::string message) {
    diagnostics_.AddError(ToPosition(mark), "", std::move(message));
    throw GiveUp();
  }

  static void Require(bool fits) {
    if (!fits) throw GiveUp();
  }

  void RequireOrdinary(const YAML::Mark& mark, const std::string& tag) {
    if (IsOrdinaryTag(tag)) return;
    Fail(mark, "the tag is not known here: " + ShowText(tag));
  }

  void Open(ConfigNode::Kind kind, const YAML::Mark& mark,
            const std::string& tag, YAML::anchor_t anchor) {
    RequireOrdinary(mark, tag);
    if (builder_.ExpectsKey()) {
      Fail(mark, "a field's name must be a single value, not " +
                     std::string(KindName(kind)));
    }
    Require(builder_.Open(kind, ToPosition(mark)));
    open_anchors_.push_back(anchor);
  }

  void Close() {
    Require(builder_.Close());
    Remember(open_anchors_.back(), builder_.last());
    open_anchors_.pop_back();
  }

  // A node gets its anchor only once it is complete, so there are no cycles.
  void Remember(YAML::anchor_t anchor, const ConfigNode* node) {
    if (anchor == YAML::NullAnchor) return;
    if (anchor >= anchors_.size()) anchors_.resize(anchor + 1, nullptr);
    anchors_[anchor] = node;
  }

  SpecDiagnostics& diagnostics_;
  ConfigTreeBuilder builder_;
  std::vector<const ConfigNode*> anchors_;  // By yaml-cpp's number.
  std::vector<YAML::anchor_t> open_anchors_;
  int num_documents_ = 0;
};

// Lets yaml-cpp read the text in place, without a copy.
class TextBuffer final : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());  // Never written to.
    setg(begin, begin, begin + text.size());
  }
};

// Counts the nesting and the values of flow collections (brackets) without
// building anything. yaml-cpp scans the whole of a flow collection before its
// first event and takes some 100 bytes of memory for each byte of text, so the
// limits must be checked before it starts.
class FlowScan {
 public:
  explicit FlowScan(std::string_view text) : text_(text) {}

  // Returns a message if the text is beyond the limits, else "".
  std::string Check() {
    for (; at_ < text_.size(); ++at_) {
      Step(text_[at_]);
      if (depth_ > kMaxConfigDepth) return "nested too deeply";
      if (num_values_ > kMaxConfigNodes) return "too many values";
    }
    return "";
  }

  ConfigPosition position() const {
    return {"", line_, static_cast<int>(at_ - line_start_) + 1};
  }

 private:
  void Step(char c) {
    if (c == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
    const bool begins_token = may_begin_;
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    may_begin_ = is_space || c == '[' || c == '{' || c == ',' || c == ':' ||
                 (depth_ > 0 && (c == ']' || c == '}'));
    if (quote_ != 0) {
      if (c == '\\' && quote_ == '"') ++at_;
      if (c == quote_) quote_ = 0;
    } else if (in_comment_) {
      in_comment_ = c != '\n';
    } else if (begins_token && c == '#') {
      in_comment_ = true;
    } else if (begins_token && (c == '"' || c == '\'')) {
      quote_ = c;
    } else if (begins_token && (c == '[' || c == '{')) {
      ++depth_;
      ++num_values_;
    } else if (depth_ > 0) {
      if (c == ']' || c == '}') --depth_;
      if (c == ',' || c == ':') ++num_values_;
    }
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  int depth_ = 0;
  std::int64_t num_values_ = 0;
  char quote_ = 0;
  bool in_comment_ = false;
  bool may_begin_ = true;
};

// yaml-cpp reads a smaller text quickly, whatever it contains. The scan does
// not know block scalars, so it must not judge ordinary job files.
constexpr std::size_t kScanAbove = std::size_t{64} << 10;

bool PassesScan(std::string_view text, SpecDiagnostics& diagnostics) {
  if (text.size() <= kScanAbove) return true;
  FlowScan scan(text);
  const std::string problem = scan.Check();
  if (problem.empty()) return true;
  diagnostics.AddError(scan.position(), "",
                       problem + ": at most " +
                           std::to_string(kMaxConfigDepth) + " levels and " +
                           std::to_string(kMaxConfigNodes) +
                           " values are read");
  return false;
}

// Throws GiveUp and yaml-cpp's exceptions.
void Parse(std::string_view text, ConfigTree& tree,
           SpecDiagnostics& diagnostics) {
  TextBuffer buffer(text);
  std::istream stream(&buffer);
  TreeHandler handler(tree, diagnostics);
  YAML::Parser parser(stream);
  while (parser.HandleNextDocument(handler)) {
  }
}

// If the text ends with a line break, yaml-cpp accepts a quoted value that was
// never closed; without the line break it reports the mistake.
void CheckQuotesAreClosed(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos || end + 1 == text.size() ||
      text.find_first_of("'\"") == std::string_view::npos) {
    return;
  }
  ConfigTree unused_tree;
  SpecDiagnostics unused("");
  try {
    Parse(text.substr(0, end + 1), unused_tree, unused);
  } catch (const GiveUp&) {
    // Reading the whole text reports the reason again.
  }
}

}  // namespace

bool ReadYamlConfig(std::string_view text, ConfigTree& tree,
                    SpecDiagnostics& diagnostics) {
  if (!PassesScan(text, diagnostics)) return false;
  // yaml-cpp reads a bracket that is never closed as a field's name, with a
  // misleading message.
  if (const auto unclosed = FindUnclosed(text)) {
    diagnostics.AddError(unclosed->position, "", unclosed->message);
    return false;
  }
  try {
    CheckQuotesAreClosed(text);
    Parse(text, tree, diagnostics);
    return true;
  } catch (const GiveUp&) {
    return false;
  } catch (const YAML::Exception& error) {
    YamlProblem problem =
        ExplainYamlError(text, error.msg, ToPosition(error.mark));
    diagnostics.AddError(problem.position, "", std::move(problem.message));
  } catch (const std::exception& error) {
    diagnostics.AddError(
        {}, "", std::string("cannot be read: ") + ShowText(error.what()));
  }
  return false;
}

}  // namespace vernier
