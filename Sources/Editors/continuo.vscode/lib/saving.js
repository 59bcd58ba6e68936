// SPDX-License-Identifier: MIT
// Saving without a question, and never between two keys.
'use strict';

const vscode = require('vscode');
const settings = require('./settings');
const stamps = require('./stamps');

/**
 * `isRetried`: the person should not be disturbed at this moment, and it is worth trying again soon.
 * @typedef {{ isSaved: boolean, isRetried?: boolean, reason?: string }} Outcome
 */

// Encodings that have every character.
const complete = new Set(['utf8', 'utf8bom', 'utf16le', 'utf16be']);

/**
 * The document's encoding; undefined where neither the editor nor the settings are certain.
 * @param {import('vscode').TextDocument} document
 */
function encoding(document) {
  if (document.encoding !== undefined) return document.encoding;
  const files = vscode.workspace.getConfiguration('files', document.uri);
  return files.get('autoGuessEncoding', false) ? undefined : files.get('encoding', 'utf8');
}

/**
 * Why saving would change what nobody typed; undefined where it would not. The editor writes what an encoding has
 * not as "?", and what it could not read as the mark for that.
 * @param {import('vscode').TextDocument} document
 * @param {import('./stamps').Form} form
 * @returns {Promise<string | undefined>}
 */
async function loss(document, form) {
  if (form.isMixed) return 'has line ends of several kinds, which saving would make equal';
  const text = document.getText();
  const name = encoding(document);
  if (/\p{Cs}/u.test(text)) return 'has characters that no file can hold';
  if (text.includes('\uFFFD') && !(form.isUTF8 && name?.startsWith('utf8'))) {
    return 'has bytes that could not be read as text';
  }
  // What an older editor takes for UTF-8 may have been opened in another encoding by hand.
  if (name !== undefined && complete.has(name) && (document.encoding !== undefined || form.isUTF8)) return undefined;
  if (/^[\0-\x7F]*$/.test(text) && !name?.startsWith('utf16')) return undefined;
  if (name === undefined || !vscode.workspace.encode || !vscode.workspace.decode) {
    return 'is in an encoding that this editor does not tell';
  }
  const bytes = await vscode.workspace.encode(text, { encoding: name });
  const isWhole = await vscode.workspace.decode(bytes, { encoding: name }) === text;
  return isWhole ? undefined : 'has characters that ' + name + ' has not';
}

/**
 * Why the document cannot be saved without a question; undefined where it can.
 * @param {import('vscode').TextDocument} document
 * @param {import('./stamps').Stamp | undefined} stamp
 */
async function obstacle(document, stamp) {
  // One without a name would ask for it.
  if (document.isUntitled || document.uri.scheme !== 'file') return 'has no name yet';
  const path = document.uri.path;
  const now = stamps.identity(path);
  if (!now) return 'was deleted on disk';
  if (!stamp) return 'is not known to be what its file holds';
  if (!stamps.isSame(stamp.identity, now)) return 'was changed on disk';
  if (!stamps.isWritable(path)) return 'cannot be written';
  return loss(document, stamp.form);
}

/**
 * Saves the document if it is modified and that needs no question. What formats on a save, other extensions too,
 * may change the text: that waits for a pause.
 * @param {import('vscode').TextDocument} document
 * @param {import('./stamps').Stamp | undefined} stamp
 * @param {() => boolean} isPause whether nobody typed for a moment
 * @returns {Promise<Outcome>}
 */
async function save(document, stamp, isPause) {
  if (!document.isDirty) return { isSaved: true };
  if (!settings.autosave(document.uri)) return { isSaved: false };
  const reason = await obstacle(document, stamp);
  if (reason !== undefined) return { isSaved: false, reason };
  if (!isPause()) return { isSaved: false, isRetried: true };
  // Another program may have written it while the text was looked at.
  if (!stamps.isSame(stamp?.identity, stamps.identity(document.uri.path))) {
    return { isSaved: false, reason: 'was changed on disk' };
  }
  try {
    return await document.save() ? { isSaved: true } : { isSaved: false, reason: 'could not be saved' };
  } catch (failure) {
    return { isSaved: false, reason: 'could not be saved: ' + failure };
  }
}

module.exports = { save };
