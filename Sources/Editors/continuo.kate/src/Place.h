// SPDX-License-Identifier: MIT
//
// Where the person is in a document, as it travels, and going there.
#pragma once

#include <KTextEditor/View>

#include <continuo.h>

namespace Continuo {

// The view in which the person uses the document: the active one, or another one; null without any.
KTextEditor::View *viewOf(KTextEditor::Document *document);

continuo_place placeIn(KTextEditor::View *view);
// Clamped to the text. Folds around it are opened.
void go(KTextEditor::View *view, const continuo_place &place);
// What is seen of the view begins at `line`, if the cursor is seen then.
void scrollTo(KTextEditor::View *view, int line);

}  // namespace Continuo
