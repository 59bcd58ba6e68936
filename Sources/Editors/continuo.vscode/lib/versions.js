// SPDX-License-Identifier: MIT
// A document and the conflict copies that sync engines left beside it: comparing them, and keeping one.
'use strict';

const vscode = require('vscode');
const connection = require('./connection');
const documents = require('./documents');
const files = require('./files');
const messages = require('./messages');
const names = require('./names');
const shown = require('./shown');

/**
 * @typedef {{
 *   uri: string, document: boolean, device?: string, putAside?: string, changedAt: number, size: number,
 *   readable: boolean,
 * }} Version
 */

/**
 * @param {Version} version
 */
function label(version) {
  const parts = [version.document ? 'the document here' : names.shortOf(version.uri)];
  if (version.device) parts.push('of device ' + version.device);
  if (version.putAside) parts.push('put aside ' + version.putAside);
  parts.push('changed ' + new Date(version.changedAt).toISOString().slice(0, 16).replace('T', ' ') + ' UTC');
  parts.push(version.size + ' bytes');
  if (!version.readable) parts.push('cannot be read');
  return shown.text(parts.join(', '));
}

/**
 * Text that no file holds would be lost to the version that is kept, or be kept in its place.
 * @param {string | undefined} path
 */
function isSaved(path) {
  const found = vscode.workspace.textDocuments.find((each) => each.uri.scheme === 'file' && each.uri.path === path);
  if (!found?.isDirty) return true;
  void messages.warn(names.short(path) + ' has unsaved changes: save them first');
  return false;
}

/**
 * @param {import('./entries').Entry} entry
 * @param {Version} version
 */
async function keep(entry, version) {
  if (entry.document.isClosed || !isSaved(entry.document.uri.path) || !isSaved(names.path(version.uri))) return;
  const { failure, result } = await connection.request('document/resolve', { uri: entry.uri, keep: version.uri });
  if (failure) return void messages.warn(failure.message);
  for (const each of result?.aside ?? []) {
    if (each.reason) void messages.warn(each.reason);
    else void messages.tell(names.shortOf(each.from) + ' is in ' + names.shortOf(each.uri) + ' now');
  }
  await files.changed(entry, names.short(entry.document.uri.path));
}

/**
 * Both texts, side by side; what is typed at the right changes the document.
 * @param {import('./entries').Entry} entry
 * @param {Version} version
 */
async function compare(entry, version) {
  const path = names.path(version.uri);
  if (path === undefined) {
    return void messages.warn(names.shortOf(version.uri) + ' has a name that this editor cannot open: it is no UTF-8');
  }
  const name = names.short(entry.document.uri.path);
  await vscode.commands.executeCommand(
    'vscode.diff', vscode.Uri.file(path), entry.document.uri, shown.text(names.short(path) + ' ↔ ' + name));
  void messages.tell('merge at the right, and save; then "Continuo: Resolve" keeps it');
}

/**
 * @param {Version[]} list
 */
function actions(list) {
  const compared = list.filter((version) => !version.document)
    .map((version) => ({ label: shown.label('Compare with ' + label(version)), act: compare, version }));
  const kept = list.filter((version) => version.readable)
    .map((version) => ({ label: shown.label('Keep ' + label(version)), act: keep, version }));
  return [...compared, ...kept];
}

/**
 * "Continuo: Resolve": asks what to do about the file of the active editor, or the one that is named.
 * @param {unknown} [uri]
 */
async function resolve(uri) {
  const active = vscode.window.activeTextEditor;
  const entry = typeof uri === 'string' ? documents.find(uri) : active && documents.entryOf(active.document);
  if (!entry) return void messages.tell('this editor has no file in which versions can be in conflict');
  const { failure, result } = await connection.request('document/versions', { uri: entry.uri });
  if (failure) return void messages.warn(failure.message);
  const name = names.short(entry.document.uri.path);
  /** @type {Version[]} */
  const list = result?.versions ?? [];
  if (list.length === 0) {
    return void messages.tell('no conflict copy lies beside ' + name + ': there is nothing to resolve');
  }
  const picked = await vscode.window.showQuickPick(
    actions(list), { placeHolder: name + ' has ' + list.length + ' versions' });
  if (picked) await picked.act(entry, picked.version);
}

module.exports = { resolve };
