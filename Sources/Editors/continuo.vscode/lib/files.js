// SPDX-License-Identifier: MIT
// What becomes of documents whose files other programs change.
'use strict';

const vscode = require('vscode');
const documents = require('./documents');
const entries = require('./entries');
const messages = require('./messages');
const names = require('./names');
const places = require('./place');
const shown = require('./shown');
const stamps = require('./stamps');

/** @typedef {import('./entries').Entry} Entry */

// How long the editor is given to read an unmodified file again by itself, and how often that is looked at.
const patience = { whole: 3000, step: 50 };

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
function moment(milliseconds) { return new Promise((resolve) => { setTimeout(resolve, milliseconds); }); }

/**
 * Whether text and file are the same by now; then the server hears that the file was read.
 * @param {Entry} entry
 */
async function isRead(entry) {
  if (entries.isUnchanged(entry)) return true;
  if (entry.document.isDirty) return false;
  const before = entry.stamp;
  await entries.stamp(entry);
  if (entry.stamp === before || !entries.isUnchanged(entry)) return false;
  documents.wasRead(entry);
  return true;
}

/**
 * Has the file read again where nothing is unsaved: the editor does so by itself, and by command where it does not
 * watch the file. False where the text stays another one.
 * @param {Entry} entry
 */
async function reread(entry) {
  for (let waited = 0; waited < patience.whole; waited += patience.step) {
    if (await isRead(entry)) return true;
    if (entry.document.isDirty || entry.document.isClosed || !stamps.identity(entry.document.uri.path)) return false;
    await moment(patience.step);
  }
  const active = vscode.window.activeTextEditor;
  // It gives up what is unsaved in the active editor, so that has to be this one, and to be as it was saved.
  if (active?.document !== entry.document || entry.document.isDirty || !entries.isPause(entry)) return false;
  await vscode.commands.executeCommand('workbench.action.files.revert');
  return isRead(entry);
}

/**
 * @param {Entry} entry
 * @param {string} name
 */
async function changed(entry, name) {
  if (entries.isUnchanged(entry)) return;
  if (entry.document.isDirty) {
    const pressed = await messages.warn(
      name + ' was changed on disk; your text stays. Saving will ask before it goes over that, and "File: Revert File" '
      + 'reads the file', 'Compare');
    if (pressed === 'Compare' && !entry.document.isClosed) {
      await vscode.window.showTextDocument(entry.document, { preview: false });
      await vscode.commands.executeCommand('workbench.files.action.compareWithSaved');
    }
    return;
  }
  await reread(entry);
}

/**
 * Puts text that was not saved into the document that was moved, which holds what that text was made from. False
 * where anything is not as it should be; nothing is taken from the old one either way.
 * @param {import('vscode').TextDocument} from
 * @param {import('vscode').TextDocument} to
 */
async function carry(from, to) {
  if (to.isDirty || to.isClosed) return false;
  const edit = new vscode.WorkspaceEdit();
  const last = to.lineAt(to.lineCount - 1).range.end;
  edit.replace(to.uri, new vscode.Range(new vscode.Position(0, 0), last), from.getText());
  return await vscode.workspace.applyEdit(edit) && to.getText() === from.getText();
}

/**
 * Shows the document by its new name where it was shown, with its place and its unsaved text; whether that text is
 * there, too. The server hears of the name before the text changes.
 * @param {Entry} entry
 * @param {string} path
 */
async function showMoved(entry, path) {
  const old = entry.document;
  const editor = places.editor(old);
  const place = editor && places.of(editor);
  const isActive = editor !== undefined && vscode.window.activeTextEditor === editor;
  const column = editor?.viewColumn ?? documents.tabs(old.uri)[0]?.group.viewColumn;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  documents.follow(old.uri.toString(), entry, document.uri);
  await documents.find(names.uri(path))?.looking;
  const isCarried = old.isDirty && await carry(old, document);
  // Where it was not in front the focus stays.
  const next = await vscode.window.showTextDocument(
    document, { viewColumn: column, preserveFocus: !isActive, preview: false });
  if (place) await places.go(next, place);
  entries.settle(entry);
  // A tab with unsaved text would ask.
  if (!old.isDirty) await vscode.window.tabGroups.close(documents.tabs(old.uri), true);
  return isCarried || !old.isDirty;
}

/**
 * @param {Entry} entry
 * @param {string} name
 * @param {unknown} uri
 */
async function moved(entry, name, uri) {
  const path = names.path(uri);
  const old = entry.document.uri.path;
  if (path === undefined || path === old) return;
  // What still lies where it was did not move: what moved was another folder's copy of it.
  if (entries.isUnchanged(entry) && !stamps.isOneFile(old, path)) return;
  const where = shown.text(path);
  const taken = vscode.workspace.textDocuments.find((each) => each.uri.scheme === 'file' && each.uri.path === path);
  if (taken && documents.tabs(taken.uri).length > 0) {
    return void messages.warn(name + ' was moved to ' + where + ', which is open already; this one stays as it is');
  }
  // Not in the middle of a word.
  while (!entries.isPause(entry)) await moment(patience.step);
  const isDirty = entry.document.isDirty;
  // Unsaved text belongs to the file that it was made from.
  if (isDirty && !stamps.isSame(entry.stamp?.identity, stamps.identity(path))) {
    return void messages.warn(name + ' was moved to ' + where + ', and changed; your unsaved text stays here: '
      + '"File: Save As…" saves it elsewhere');
  }
  try {
    const isWhole = await showMoved(entry, path);
    if (!isDirty) return void messages.tell(name + ' was moved: it is ' + where + ' now');
    void messages.warn(name + ' was moved to ' + where + (isWhole
      ? ': your unsaved text is there, too; close the old one without saving'
      : '; your unsaved text stays in the old one: "File: Save As…" saves it elsewhere'));
  } catch (failure) {
    void messages.warn(name + ' was moved to ' + where + ', and could not be opened there: ' + failure);
  }
}

/**
 * `document/changedOnDisk`.
 * @param {any} params
 */
async function changedOnDisk(params) {
  const entry = documents.find(params.uri);
  if (!entry) return;
  const name = names.short(entry.document.uri.path);
  if (params.change === 'changed') await changed(entry, name);
  if (params.change === 'moved') await moved(entry, name, params.newUri);
  if (params.change === 'deleted') {
    void messages.warn(name + ' was deleted; the text stays here, and saving makes the file again');
  }
  if (params.change === 'conflict' && Array.isArray(params.copies) && params.copies.length > 0) {
    const copies = params.copies.map(names.shortOf).join(', ');
    const pressed = await messages.warn(
      name + ' is in conflict with ' + copies + ': "Continuo: Resolve" compares them, and keeps one', 'Resolve');
    if (pressed === 'Resolve') await vscode.commands.executeCommand('continuo.resolve', params.uri);
  }
}

module.exports = { changedOnDisk, changed, reread };
