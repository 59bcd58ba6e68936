// SPDX-License-Identifier: MIT
// Which file a document holds: what stat(2) said when its text and the file's were the same.
'use strict';

const fs = require('fs');
const nodePath = require('path');
const vscode = require('vscode');

/** @typedef {{ ino: bigint, dev: bigint, size: bigint, mtime: bigint }} Identity */
/**
 * How the file is written: with CR alone as a line end, as the editor takes it; with line ends of several kinds,
 * which the editor makes equal; whether it is well-formed UTF-8.
 * @typedef {{ hasLoneReturn: boolean, isMixed: boolean, isUTF8: boolean }} Form
 */
/** @typedef {{ identity: Identity, form: Form }} Stamp */

/**
 * Undefined for anything but a file that is there.
 * @param {string} path
 * @returns {Identity | undefined}
 */
function identity(path) {
  try {
    const found = fs.statSync(path, { bigint: true });
    return found.isFile() ? { ino: found.ino, dev: found.dev, size: found.size, mtime: found.mtimeNs } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Identity | undefined} left
 * @param {Identity | undefined} right
 */
function isSame(left, right) {
  return left !== undefined && right !== undefined && left.ino === right.ino && left.dev === right.dev
    && left.size === right.size && left.mtime === right.mtime;
}

/**
 * @param {Buffer} bytes
 * @returns {Form}
 */
function form(bytes) {
  let pairs = 0;
  let alone = 0;
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] === 10) pairs += 1;
    else alone += 1;
  }
  let feeds = 0;
  if (pairs > 0) for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) feeds += 1;
  let isUTF8 = true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    isUTF8 = false;
  }
  return { hasLoneReturn: alone > 0, isMixed: alone > 0 || pairs > 0 && feeds > pairs, isUTF8 };
}

/**
 * As the editor compares: its lines end in one way.
 * @param {string} text
 */
function lines(text) { return text.replace(/\r\n|\r/g, '\n'); }

/**
 * @param {string} text
 */
function withoutMark(text) { return text.startsWith('\uFEFF') ? text.slice(1) : text; }

/**
 * What the bytes say in the document's encoding; in each that it may be where the editor does not tell.
 * @param {Buffer} bytes
 * @param {string | undefined} encoding
 * @returns {Promise<string[]>}
 */
async function readings(bytes, encoding) {
  if (encoding === undefined) return [bytes.toString('utf8'), bytes.toString('latin1')];
  if (encoding === 'utf8' || encoding === 'utf8bom') return [bytes.toString('utf8')];
  if (encoding === 'utf16le') return [bytes.toString('utf16le')];
  return vscode.workspace.decode ? [await vscode.workspace.decode(bytes, { encoding })] : [];
}

/**
 * The stamp of the file if the document's text, as it is now, is the file's; else undefined.
 * @param {import('vscode').TextDocument} document
 * @returns {Promise<Stamp | undefined>}
 */
async function take(document) {
  const path = document.uri.path;
  const text = document.getText();
  const encoding = document.encoding;
  const before = identity(path);
  if (!before) return undefined;
  let bytes;
  try {
    bytes = await fs.promises.readFile(path);
  } catch {
    return undefined;
  }
  if (!isSame(before, identity(path))) return undefined;
  const wanted = lines(withoutMark(text));
  const found = await readings(bytes, encoding);
  if (!found.some((reading) => lines(withoutMark(reading)) === wanted)) return undefined;
  return { identity: before, form: form(bytes) };
}

/**
 * Whether a folder above holds what Continuo keeps in folders of its own. Files elsewhere are not read for nothing.
 * @param {string} path
 */
function mayBeSynced(path) {
  for (let folder = nodePath.dirname(path); ; folder = nodePath.dirname(folder)) {
    if (fs.existsSync(nodePath.join(folder, '.continuo'))) return true;
    if (folder === '/' || folder === '.') return false;
  }
}

/**
 * Whether two names lead to one file, as where upper and lower case are one.
 * @param {string} left
 * @param {string} right
 */
function isOneFile(left, right) {
  const mine = identity(left);
  const other = identity(right);
  return mine !== undefined && other !== undefined && mine.ino === other.ino && mine.dev === other.dev;
}

/**
 * The name without links; undefined where nothing is there.
 * @param {string} path
 */
function resolved(path) {
  try {
    return fs.realpathSync(path);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} path
 */
function isWritable(path) {
  try {
    fs.accessSync(path, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

module.exports = { identity, isSame, take, mayBeSynced, isOneFile, resolved, isWritable };
