// SPDX-License-Identifier: MIT
// Showing what is continued, without disturbing what the person does meanwhile.
'use strict';

const fs = require('fs');
const vscode = require('vscode');
const documents = require('./documents');
const entries = require('./entries');
const files = require('./files');
const messages = require('./messages');
const names = require('./names');
const places = require('./place');

/** @typedef {import('./entries').Entry} Entry */
/** @typedef {{ opened: boolean, message?: string }} Outcome */

// Where another device was.
/** @type {{ uri: import('vscode').Uri, place: import('./place').Place, isReadOnly: boolean } | undefined} */
let target;
// After so long the person may be doing something else: what is shown takes no focus any more. Milliseconds.
const patience = 5000;

/**
 * @param {string} name
 * @param {unknown} reason
 * @returns {Outcome}
 */
function refused(name, reason) { return { opened: false, message: name + ' could not be opened: ' + reason }; }

/**
 * Shows the document where it is shown already, else in the active group.
 * @param {import('vscode').TextDocument} document
 * @param {boolean} preserveFocus
 */
async function show(document, preserveFocus) {
  const viewColumn = places.editor(document)?.viewColumn ?? documents.tabs(document.uri)[0]?.group.viewColumn;
  return vscode.window.showTextDocument(document, { viewColumn, preserveFocus, preview: false });
}

/**
 * What was opened for reading alone is written again once the version meant is there.
 * @param {Entry} entry
 * @param {boolean} isReadOnly
 */
async function mark(entry, isReadOnly) {
  if (entry.isReadOnly === isReadOnly || vscode.window.activeTextEditor?.document !== entry.document) return;
  entry.isReadOnly = isReadOnly;
  try {
    await vscode.commands.executeCommand('workbench.action.files.'
      + (isReadOnly ? 'setActiveEditorReadonlyInSession' : 'resetActiveEditorReadonlyInSession'));
  } catch {
    void messages.warn(names.short(entry.document.uri.path) + ' is shown for reading: this editor cannot keep you from '
      + 'writing in it, and nothing of that is saved by itself');
  }
}

/**
 * What the editor shows, but gives to no extension: other than text, or too large.
 * @param {string} path
 * @param {string} name
 * @param {any} place
 * @param {unknown} failure
 * @returns {Promise<Outcome>}
 */
async function showForeign(path, name, place, failure) {
  if (!fs.existsSync(path)) return refused(name, 'there is no such file');
  const line = Math.max(0, Number(place?.position?.line) || 0);
  const character = Math.max(0, Number(place?.position?.character) || 0);
  try {
    await vscode.commands.executeCommand(
      'vscode.open', vscode.Uri.file(path),
      { preview: false, selection: new vscode.Range(line, character, line, character) });
  } catch {
    return refused(name, failure);
  }
  messages.once(name + ' is open, but its text is not open to extensions, so that it is not offered from here: '
    + failure);
  return { opened: true };
}

/**
 * Brings the text up to what the file holds; why not, where text would be lost.
 * @param {import('vscode').TextDocument} document
 * @param {Entry | undefined} entry
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
async function refresh(document, entry, name) {
  const unsaved = name + ' has unsaved changes here, and the file is newer: save it under another name, or give them '
    + 'up with "File: Revert File", and continue again';
  if (!entry || !document.isDirty) await entry?.looking;
  if (entry && entries.isUnchanged(entry)) return undefined;
  if (document.isDirty) return unsaved;
  if (!entry || await files.reread(entry)) return undefined;
  return document.isDirty ? unsaved : name + ' shows another text than its file holds: "File: Revert File" reads that';
}

/**
 * @param {any} params
 * @param {Entry} entry
 * @param {string} name
 * @param {boolean} isKept
 * @param {boolean} isBehind
 */
async function place(params, entry, name, isKept, isBehind) {
  const found = params.place;
  target = found && { uri: entry.document.uri, place: found, isReadOnly: params.readOnly === true };
  if (isKept || isBehind) {
    const where = found ? ' (line ' + (found.position.line + 1) + ')' : '';
    const device = params.offer?.device ?? 'the other device';
    void messages.tell(
      (isKept ? name + ': your cursor stays; ' : name + ' is open in the background; ') + '"Continuo: Jump" goes where '
      + device + ' was' + where, 'Jump').then((pressed) => { if (pressed === 'Jump') return jump(); });
    return;
  }
  if (!found) return;
  const editor = places.editor(entry.document);
  if (editor) await places.go(editor, found);
  entries.noteVersion(entry);
  if (params.certainty === 'unsure') void messages.tell(name + ': the place is gone; this is the nearest line');
}

/**
 * `document/restore`; `asked`: when the person asked to continue.
 * @param {any} params
 * @param {number} asked
 * @returns {Promise<Outcome>}
 */
async function restore(params, asked) {
  const path = names.path(params.uri);
  const name = names.shortOf(params.uri);
  if (path === undefined) return refused(name, 'it is no file with a name in UTF-8, and this editor opens no others');
  const known = documents.find(params.uri);
  const isKept = known !== undefined && entries.isUsed(known, asked);
  const isBehind = documents.isBusyElsewhere(known);
  let document;
  try {
    document = known?.document ?? await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  } catch (failure) {
    return showForeign(path, name, params.place, failure);
  }
  if (!known && document.isDirty) {
    const sentence = name + ' has unsaved changes here: save or revert them, and continue again';
    void messages.warn(sentence);
    return { opened: false, message: sentence };
  }
  // An editor that comes to front reads its file again by itself.
  if (!isBehind) await show(document, Date.now() - asked > patience);
  const entry = documents.adopt(document);
  if (!entry) return refused(name, 'it is no document');
  const obstacle = await refresh(document, entry, name);
  if (obstacle !== undefined) {
    void messages.warn(obstacle);
    return { opened: false, message: obstacle };
  }
  if (!isBehind) await mark(entry, params.readOnly === true);
  if (known) documents.wasRead(entry);
  await place(params, entry, name, isKept || entries.isUsed(entry, Math.max(asked, entry.settledAt)), isBehind);
  return { opened: true };
}

/**
 * "Continuo: Jump".
 */
async function jump() {
  const wanted = target;
  if (!wanted) {
    return void messages.tell('no place of another device is known; "Continuo: Resume" continues what one offers');
  }
  try {
    const document = await vscode.workspace.openTextDocument(wanted.uri);
    const editor = await show(document, false);
    const entry = documents.adopt(document);
    await places.go(editor, wanted.place);
    if (!entry) return;
    entries.settle(entry);
    await mark(entry, wanted.isReadOnly);
    documents.touch(document);
  } catch (failure) {
    void messages.warn(names.short(wanted.uri.path) + ' cannot be shown: ' + failure);
  }
}

function forget() { target = undefined; }

module.exports = { restore, jump, forget };
