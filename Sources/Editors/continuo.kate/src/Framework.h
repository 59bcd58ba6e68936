// SPDX-License-Identifier: MIT
//
// What the editor component calls differently in KDE Frameworks 5 and 6.
#pragma once

#include <KTextEditor/Document>
#include <KTextEditor/View>

namespace Continuo {

// Whether Kate makes a backup copy with each save of a local file.
bool keepsBackups(KTextEditor::Document *document);
// Whether the encoding of the document's file has each character of its text.
bool canEncode(KTextEditor::Document *document);
// Whether the list of completions is open in it.
bool isCompleting(KTextEditor::View *view);
// What happened to the file is known: no question follows from it.
void forgetChangeOnDisk(KTextEditor::Document *document);
// A newer file lies beneath changes: Kate asks what is to be done, and again before it writes over it.
void askAboutChangeOnDisk(KTextEditor::Document *document);
// Shows which lines differ, or nothing any more.
void markLines(KTextEditor::Document *document, const QVector<int> &lines);
// `receiver` has a slot `changedOnDisk(KTextEditor::Document *, bool)`.
void listenToDisk(KTextEditor::Document *document, QObject *receiver);

}  // namespace Continuo
