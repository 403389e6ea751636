#include "study/job_file/job_document.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/shown_text.h"
#include "base/utf8.h"
#include "study/config/config_reader.h"
#include "study/foreign_files/azure_file.h"
#include "study/foreign_files/determined_file.h"
#include "study/foreign_files/nni_file.h"
#include "study/foreign_files/sagemaker_file.h"
#include "study/foreign_files/vertex_file.h"
#include "study/katib_file/katib_file.h"
#include "study/study_file/study_file.h"
#include "study/sweep_file/sweep_file.h"

namespace vernier {
namespace {

// A kind of file that means a job file.
struct FileForm {
  bool (*is_its_file)(const ConfigNode* root);
  // Replaces the root by the job file; false if there are errors.
  bool (*expand)(ConfigTree& tree, SpecDiagnostics& diagnostics);
  bool has_code_beside;
};
constexpr FileForm kOtherForms[] = {
    {&IsStudyFile, &ExpandStudyFile, true},
    {&IsSweepFile, &ExpandSweepFile, true},
    {&IsKatibFile, &ExpandKatibFile, false},
    {&IsAzureFile, &ExpandAzureFile, true},
    {&IsDeterminedFile, &ExpandDeterminedFile, true},
    {&IsNniFile, &ExpandNniFile, true},
    {&IsSageMakerFile, &ExpandSageMakerFile, true},
    {&IsVertexFile, &ExpandVertexFile, true},
};

const ConfigNode* FindBelow(const ConfigNode* node,
                            const std::vector<std::string>& path) {
  for (const std::string& key : path) {
    if (node == nullptr || node->kind != ConfigNode::Kind::kMap) return nullptr;
    node = node->Find(key);
  }
  return node;
}

}  // namespace

JobDocument::JobDocument(std::string_view text, std::string file_name,
                         const ReadBeside& read_beside)
    : file_name_(std::move(file_name)), diagnostics_(file_name_) {
  auto source = std::make_shared<Source>();
  is_readable_ = ReadConfig(text, source->tree, diagnostics_);
  if (is_readable_) {
    const ConfigNode* root = source->tree.root;
    const auto form = std::find_if(
        std::begin(kOtherForms), std::end(kOtherForms),
        [root](const FileForm& each) { return each.is_its_file(root); });
    if (form != std::end(kOtherForms)) {
      is_study_file_ = form->is_its_file == &IsStudyFile;
      has_code_beside_ = form->has_code_beside;
      if (form->is_its_file == &IsNniFile && read_beside != nullptr) {
        is_readable_ = TakeInSearchSpace(read_beside, source);
      }
      is_readable_ = is_readable_ && form->expand(source->tree, diagnostics_);
    }
  }
  text_root_ = is_readable_ ? source->tree.root : nullptr;
  root_ = text_root_;
  sources_.push_back(std::move(source));
}

bool JobDocument::TakeInSearchSpace(const ReadBeside& read_beside,
                                    std::shared_ptr<Source>& source) {
  const ConfigNode* const root = source->tree.root;
  const ConfigNode* const file = NniSearchSpaceFile(*root);
  if (file == nullptr) return true;
  auto space = std::make_shared<Source>();
  space->flag = file->scalar;
  const auto text = read_beside(file->scalar);
  if (!text.ok()) {
    diagnostics_.AddError(file->position, "searchSpaceFile",
                          std::string(text.status().message()));
    return false;
  }
  SpecDiagnostics found(space->flag);
  if (!ReadConfig(*text, space->tree, found)) {
    for (SpecError& error : found.TakeErrors()) {
      diagnostics_.AddError({space->flag, error.line, error.column}, "",
                            std::move(error.message));
    }
    return false;
  }
  if (space->tree.root == nullptr) return true;
  for (ConfigNode& node : space->tree.nodes) {
    node.position.flag = space->flag;
    for (ConfigMember& member : node.members) {
      member.position.flag = space->flag;
    }
  }
  space->tree.PutInto(root, {"searchSpace"});
  sources_.push_back(std::exchange(source, std::move(space)));
  return true;
}

std::optional<JobDocument> JobDocument::FromJson(std::string_view text) {
  JobDocument document;
  if (FindInvalidUtf8(text) != std::string_view::npos) return std::nullopt;
  auto source = std::make_shared<Source>();
  const JsonOutcome outcome =
      ReadJsonConfig(text, "", source->tree, document.diagnostics_);
  if (outcome == JsonOutcome::kNotJson) return std::nullopt;
  document.is_readable_ = outcome == JsonOutcome::kRead;
  if (document.is_readable_) document.text_root_ = source->tree.root;
  document.root_ = document.text_root_;
  document.sources_.push_back(std::move(source));
  return document;
}

void JobDocument::Override(const std::vector<FieldOverride>& overrides) {
  if (!is_readable_) return;
  for (const FieldOverride& change : overrides) {
    auto source = std::make_shared<Source>();
    source->flag = change.flag;
    const ConfigPosition position = {source->flag, 0, 0};
    if (FindInvalidUtf8(change.json_value) != std::string::npos) {
      diagnostics_.AddError(position, "", "not valid UTF-8");
      continue;
    }
    const JsonOutcome outcome = ReadJsonConfig(change.json_value, source->flag,
                                               source->tree, diagnostics_);
    if (outcome == JsonOutcome::kNotJson) {
      diagnostics_.AddError(position, "",
                            "not valid JSON: " + ShowText(change.json_value));
    }
    if (outcome != JsonOutcome::kRead) continue;
    source->tree.PutInto(root_, change.path);
    root_ = source->tree.root;
    sources_.push_back(std::move(source));
  }
}

void JobDocument::Remove(const std::vector<std::vector<std::string>>& paths) {
  if (!is_readable_) return;
  auto source = std::make_shared<Source>();
  for (const std::vector<std::string>& path : paths) {
    if (root_ == nullptr) return;
    source->tree.TakeFrom(root_, path);
    root_ = source->tree.root;
  }
  sources_.push_back(std::move(source));
}

const ConfigNode* JobDocument::Find(
    const std::vector<std::string>& path) const {
  return FindBelow(root_, path);
}

const ConfigNode* JobDocument::FindInText(
    const std::vector<std::string>& path) const {
  return FindBelow(text_root_, path);
}

}  // namespace vernier
