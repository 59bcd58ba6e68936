// SPDX-License-Identifier: MIT
#include "Place.h"

#include <KTextEditor/Application>
#include <KTextEditor/Document>
#include <KTextEditor/Editor>
#include <KTextEditor/MainWindow>

#include <algorithm>

namespace Continuo {

namespace {

KTextEditor::Cursor nearest(KTextEditor::Document *document, int64_t line, int64_t column) {
  const int last = document->lines() - 1;
  if (line > last) return document->documentEnd();
  const int inside = static_cast<int>(std::max<int64_t>(line, 0));
  const int length = document->lineLength(inside);
  int at = static_cast<int>(std::clamp<int64_t>(column, 0, length));
  // Not between the two halves of a character.
  if (at > 0 && at < length && document->line(inside).at(at).isLowSurrogate()) --at;
  return KTextEditor::Cursor(inside, at);
}

}  // namespace

KTextEditor::View *viewOf(KTextEditor::Document *document) {
  if (!document) return nullptr;
  auto *window = KTextEditor::Editor::instance()->application()->activeMainWindow();
  auto *active = window ? window->activeView() : nullptr;
  if (active && active->document() == document) return active;
  const auto views = document->views();
  for (auto *view : views) {
    if (view->isVisible()) return view;
  }
  return views.isEmpty() ? nullptr : views.first();
}

continuo_place placeIn(KTextEditor::View *view) {
  continuo_place found = continuo_place();
  found.size = sizeof found;
  const KTextEditor::Cursor cursor = view->cursorPosition();
  auto *document = view->document();
  found.line = cursor.line();
  // Where blocks are selected, the cursor may stand behind a line's end.
  found.column = std::min(cursor.column(), document->lineLength(cursor.line()));
  found.parts = CONTINUO_PLACE_TOP_LINE;
  found.top_line = std::max(view->firstDisplayedLine(), 0);
  const KTextEditor::Range selected = view->selectionRange();
  if (view->selection() && !view->blockSelection() && selected.isValid() && !selected.isEmpty()) {
    const KTextEditor::Cursor other = cursor == selected.start() ? selected.end() : selected.start();
    found.parts |= CONTINUO_PLACE_SELECTION;
    found.selection_line = other.line();
    found.selection_column = other.column();
  }
  return found;
}

void go(KTextEditor::View *view, const continuo_place &place) {
  auto *document = view->document();
  const KTextEditor::Cursor cursor = nearest(document, place.line, place.column);
  view->setSelection(KTextEditor::Range::invalid());
  view->setCursorPosition(cursor);
  if (place.parts & CONTINUO_PLACE_SELECTION) {
    const KTextEditor::Cursor other = nearest(document, place.selection_line, place.selection_column);
    if (other != cursor) view->setSelection(KTextEditor::Range(std::min(cursor, other), std::max(cursor, other)));
  }
  if (place.parts & CONTINUO_PLACE_TOP_LINE) scrollTo(view, static_cast<int>(place.top_line));
}

void scrollTo(KTextEditor::View *view, int line) {
  const int cursor = view->cursorPosition().line();
  const int before = view->firstDisplayedLine();
  const int count = view->lastDisplayedLine() - before;
  const int top = std::clamp(line, 0, view->document()->lines() - 1);
  if (top > cursor || cursor > top + count) return;
  KTextEditor::Cursor first(top, 0);
  view->setScrollPosition(first);
}

}  // namespace Continuo
