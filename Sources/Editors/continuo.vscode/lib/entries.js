// SPDX-License-Identifier: MIT
// One document of the editor that is Continuo's: what is known of its file, and what the person did in it.
'use strict';

const names = require('./names');
const places = require('./place');
const stamps = require('./stamps');

/**
 * What can differ between two rounds.
 * @typedef {{ version: number, place: import('./place').Place, isDirty: boolean }} Seen
 */
/**
 * `uri` as the server knows it; `standing` as it told, `stoodCount` how often it told that by itself; `told` the state
 * told last, `seen` the one seen last; `usedAt` when the person last typed or moved, `typedAt` when they last typed,
 * `settledAt` when the extension or the file last moved something; `isWorkedOn` whether the person did something since
 * another device's version came, `isTouched` since the server was told; `stamp` the file that it holds; `isReadOnly`
 * where it is shown for reading alone.
 * @typedef {{
 *   document: import('vscode').TextDocument, uri: string, standing?: any, stoodCount: number, told?: Seen, seen:
 *   Seen, usedAt: number, typedAt: number, settledAt: number, isWorkedOn: boolean, isTouched: boolean, isWanted:
 *   boolean, stamp?: import('./stamps').Stamp, looking?: Promise<void>, isReadOnly: boolean, wasShown: boolean,
 * }} Entry
 */

// After what time without a key nobody types; how long what the editor moves by itself after reading a file is not the
// person's doing. Milliseconds.
const pause = 1000;
const settling = 300;

/**
 * Untitled documents, notebooks, and files of other machines are nobody's business.
 * @param {import('vscode').TextDocument} document
 */
function isDocument(document) {
  return document.uri.scheme === 'file' && document.uri.authority === '' && !document.isUntitled && !document.isClosed
    && stamps.identity(document.uri.path) !== undefined;
}

/**
 * Nobody moves in a document that no editor shows.
 * @param {import('vscode').TextDocument} document
 * @param {Seen | undefined} before
 * @returns {Seen}
 */
function state(document, before) {
  const editor = places.editor(document);
  const place = editor ? places.of(editor) : before?.place ?? { position: { line: 0, character: 0 } };
  return { version: document.version, place, isDirty: document.isDirty };
}

/**
 * @param {unknown} left
 * @param {unknown} right
 */
function isEqual(left, right) { return JSON.stringify(left) === JSON.stringify(right); }

/**
 * What the person has to do with the place is what makes it used, not what the window shows.
 * @param {Seen} left
 * @param {Seen} right
 */
function isMoved(left, right) {
  return left.version !== right.version || !isEqual(left.place.position, right.place.position)
    || !isEqual(left.place.selection, right.place.selection);
}

/**
 * One that was just shown. Text that was recovered is no file's: nothing is known of it.
 * @param {import('vscode').TextDocument} document
 * @returns {Entry}
 */
function make(document) {
  return {
    document, uri: names.uri(document.uri.path), seen: state(document, undefined), usedAt: 0, typedAt: 0,
    settledAt: Date.now(), isWorkedOn: false, isTouched: false, isWanted: false, isReadOnly: false, wasShown: false,
    stoodCount: 0,
  };
}

/**
 * The document is as the extension, or its file, has left it: nobody moved or typed by that.
 * @param {Entry} entry
 */
function settle(entry) {
  entry.seen = state(entry.document, entry.seen);
  entry.settledAt = Date.now();
}

/**
 * The document shows what its file holds, or what another device left.
 * @param {Entry} entry
 */
function noteVersion(entry) {
  settle(entry);
  entry.isWorkedOn = false;
}

/**
 * Takes note of what the person does; true when anything differs from what the server knows.
 * @param {Entry} entry
 */
function look(entry) {
  const found = state(entry.document, entry.seen);
  if (isMoved(entry.seen, found)) {
    const isTyped = entry.seen.version !== found.version;
    // The editor restores a cursor a moment after it has shown a file.
    if (isTyped || Date.now() - entry.settledAt > settling) {
      entry.usedAt = Date.now();
      entry.isWorkedOn = true;
      entry.isTouched = true;
      if (isTyped) entry.typedAt = entry.usedAt;
    }
  }
  entry.seen = found;
  return !isEqual(entry.told, found);
}

/**
 * Whether the file by the document's name is the one that it holds, unchanged.
 * @param {Entry} entry
 */
function isUnchanged(entry) {
  return stamps.isSame(entry.stamp?.identity, stamps.identity(entry.document.uri.path));
}

/**
 * @param {Entry} entry
 */
function isSynced(entry) { return entry.standing?.synced === true || stamps.mayBeSynced(entry.document.uri.path); }

/**
 * Compares text and file where nothing is unsaved, and remembers the file if they are the same.
 * @param {Entry} entry
 */
function stamp(entry) {
  if (entry.document.isDirty || !isSynced(entry)) return Promise.resolve();
  const taken = stamps.take(entry.document).then((found) => { if (found) entry.stamp = found; });
  entry.looking = taken;
  return taken;
}

/**
 * Whether nobody has typed in the document for a moment.
 * @param {Entry} entry
 */
function isPause(entry) { return Date.now() - entry.typedAt > pause; }

/**
 * Whether the person has used the document since `moment`.
 * @param {Entry} entry
 * @param {number} moment
 */
function isUsed(entry, moment) {
  look(entry);
  return entry.usedAt > moment;
}

module.exports = {
  pause, settling, isDocument, make, state, isEqual, settle, noteVersion, look, isUnchanged, stamp, isPause, isUsed,
};
