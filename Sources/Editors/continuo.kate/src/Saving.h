// SPDX-License-Identifier: MIT
//
// Saving without a question, and never between two keys where it would change the text.
#pragma once

#include <QString>

namespace KTextEditor {
class Document;
}

namespace Continuo {

struct Open;

enum class Outcome {
  // The file holds the text.
  Saved,
  // Not at this moment; it is worth trying again soon.
  Later,
  // Not at all, for `reason`.
  No
};

struct Attempt {
  Outcome outcome;
  QString reason;
};

// `quiet`: for how many milliseconds nobody has typed in it.
Attempt save(const Open &open, qint64 quiet);

// Whether Kate may change the text when it saves it: spaces at ends of lines, and a last line without an end.
bool mayChangeText(KTextEditor::Document *document);

}  // namespace Continuo
