#include "study/config/spec_error.h"

namespace vernier {

std::string FormatSpecError(const SpecError& error) {
  std::string text = error.file;
  if (error.line > 0) {
    if (!text.empty()) text += ':';
    text += std::to_string(error.line) + ":" + std::to_string(error.column);
  }
  if (!text.empty()) text += ": ";
  if (!error.field_path.empty()) text += error.field_path + ": ";
  return text + error.message;
}

}  // namespace vernier
