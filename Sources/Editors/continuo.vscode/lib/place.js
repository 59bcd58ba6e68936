// SPDX-License-Identifier: MIT
// Where the person is in a document, as it travels in UTF-16 units, and going there.
'use strict';

const vscode = require('vscode');

/** @typedef {{ line: number, character: number }} Point */
/** @typedef {{ position: Point, selection?: Point, topLine?: number }} Place */

/**
 * An editor that shows the document: the active one, or any other; undefined.
 * @param {import('vscode').TextDocument} document
 */
function editor(document) {
  const active = vscode.window.activeTextEditor;
  if (active?.document === document) return active;
  return vscode.window.visibleTextEditors.find((each) => each.document === document);
}

/**
 * @param {import('vscode').Position} position
 * @returns {Point}
 */
function point(position) { return { line: position.line, character: position.character }; }

/**
 * What is to be told of an editor.
 * @param {import('vscode').TextEditor} shown
 * @returns {Place}
 */
function of(shown) {
  const { active, anchor, isEmpty } = shown.selection;
  /** @type {Place} */
  const found = { position: point(active) };
  if (!isEmpty) found.selection = point(anchor);
  const top = shown.visibleRanges[0];
  if (top) found.topLine = top.start.line;
  return found;
}

/**
 * @param {unknown} given
 */
function whole(given) { return Math.max(0, Math.min(Math.trunc(Number(given)) || 0, 0x7FFFFFFF)); }

/**
 * The nearest place that exists, not within a pair of units.
 * @param {import('vscode').TextDocument} document
 * @param {Point} given
 */
function nearest(document, given) {
  const last = document.lineCount - 1;
  if (whole(given.line) > last) return new vscode.Position(last, document.lineAt(last).text.length);
  const text = document.lineAt(whole(given.line)).text;
  let character = Math.min(whole(given.character), text.length);
  if (/^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(Math.max(character - 1, 0), character + 1))) character -= 1;
  return new vscode.Position(whole(given.line), Math.max(character, 0));
}

/**
 * How many lines the editor shows; those that are folded are not among them.
 * @param {import('vscode').TextEditor} shown
 */
function height(shown) {
  return shown.visibleRanges.reduce((sum, range) => sum + range.end.line - range.start.line + 1, 0);
}

/**
 * Goes there, and opens the folds around it.
 * @param {import('vscode').TextEditor} shown
 * @param {Place} given
 */
async function go(shown, given) {
  const active = nearest(shown.document, given.position);
  const anchor = given.selection ? nearest(shown.document, given.selection) : active;
  shown.selection = new vscode.Selection(anchor, active);
  if (vscode.window.activeTextEditor === shown) {
    // Those that hold the line, however deep.
    await vscode.commands.executeCommand(
      'editor.unfold', { selectionLines: [active.line], direction: 'up', levels: 100 });
  }
  const top = given.topLine === undefined ? undefined : Math.min(whole(given.topLine), shown.document.lineCount - 1);
  if (top !== undefined && top <= active.line && active.line < top + height(shown)) {
    shown.revealRange(new vscode.Range(top, 0, top, 0), vscode.TextEditorRevealType.AtTop);
  } else {
    shown.revealRange(new vscode.Range(active, active), vscode.TextEditorRevealType.InCenter);
  }
}

module.exports = { editor, of, nearest, go };
