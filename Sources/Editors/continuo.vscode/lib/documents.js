// SPDX-License-Identifier: MIT
// Which documents of the editor are Continuo's, what the server hears of them, and what it asks.
'use strict';

const vscode = require('vscode');
const connection = require('./connection');
const {
  pause, settling, isDocument, make, state, settle, look, isUnchanged, stamp, isPause, noteVersion,
} = require('./entries');
const messages = require('./messages');
const names = require('./names');
const saving = require('./saving');
const settings = require('./settings');
const stamps = require('./stamps');

/** @typedef {import('./entries').Entry} Entry */

// How long to gather what is told, in milliseconds.
const pace = 150;

/** @type {Map<string, Entry>} */
const open = new Map();
/** @type {Entry | undefined} */
let current;
let isLeaving = false;
/** @type {NodeJS.Timeout | undefined} */
let telling;
/** @type {(entry: Entry) => void} */
let tellTouched = () => {};

/**
 * `touched` is called when the person did something in a document, or saved it.
 * @param {(entry: Entry) => void} touched
 */
function configure(touched) {
  tellTouched = touched;
  isLeaving = false;
}

// MARK: Telling

function tellChanges() {
  telling = undefined;
  for (const entry of open.values()) {
    if (!look(entry) && !entry.isWanted) continue;
    const byPerson = entry.isTouched;
    entry.told = entry.seen;
    entry.isWanted = entry.isTouched = false;
    if (byPerson) tellTouched(entry);
    connection.notify('document/didChange', { uri: entry.uri, edited: entry.document.isDirty, byPerson });
  }
}

/**
 * @param {number} milliseconds
 */
function tellSoon(milliseconds) { telling ??= setTimeout(tellChanges, milliseconds); }

/**
 * Something happened in the document that may be worth telling.
 * @param {import('vscode').TextDocument} document
 */
function touch(document) {
  const entry = open.get(document.uri.toString());
  if (entry && look(entry)) tellSoon(pace);
}

/**
 * @param {Entry} entry
 */
function tellCurrent(entry) {
  current = entry;
  connection.notify('document/becomeCurrent', { uri: entry.uri });
}

/**
 * The server has a document from the moment its file is read; it is asked how that stands.
 * @param {Entry} entry
 */
async function sayOpen(entry) {
  entry.told = state(entry.document, entry.seen);
  const before = entry.stoodCount;
  const { failure, result } = await connection.request(
    'document/open', { uri: entry.uri, edited: entry.document.isDirty });
  if (open.get(entry.document.uri.toString()) !== entry) return;
  // What was told since the answer is newer than it.
  if (entry.stoodCount === before) entry.standing = result ?? { synced: false, reason: failure?.message };
  // A folder that nothing lay in before.
  if (entry.standing?.synced && !entry.stamp) await stamp(entry);
}

/**
 * Makes a document of Continuo's of one that is shown.
 * @param {import('vscode').TextDocument} document
 */
function adopt(document) {
  const key = document.uri.toString();
  const known = open.get(key);
  if (known?.document === document) return known;
  if (!isDocument(document)) return undefined;
  const entry = make(document);
  open.set(key, entry);
  void stamp(entry);
  connection.start();
  void sayOpen(entry);
  return entry;
}

/**
 * The file was read again, as the text shows.
 * @param {Entry} entry
 */
function wasRead(entry) {
  noteVersion(entry);
  void sayOpen(entry);
}

/**
 * `onDidChangeTextDocument`. The editor reads unmodified files again by itself: then the text is another file's.
 * @param {import('vscode').TextDocument} document
 */
async function changed(document) {
  const entry = open.get(document.uri.toString());
  if (!entry) return;
  if (document.isDirty || isUnchanged(entry)) return touch(document);
  const before = entry.stamp;
  // Not the person's doing, whatever the file turns out to be.
  settle(entry);
  await stamp(entry);
  if (entry.stamp !== before && open.get(document.uri.toString()) === entry) wasRead(entry);
}

/**
 * Saved, by whomever.
 * @param {import('vscode').TextDocument} document
 */
function saved(document) {
  const entry = open.get(document.uri.toString());
  if (!entry) return void adopt(document);
  const identity = stamps.identity(document.uri.path);
  // What was typed while the editor wrote is in no file; what was written has line ends of one kind.
  if (document.isDirty && identity) {
    const isUTF8 = entry.stamp?.form.isUTF8 ?? false;
    entry.stamp = { identity, form: { hasLoneReturn: false, isMixed: false, isUTF8 } };
  } else {
    void stamp(entry);
  }
  tellTouched(entry);
  connection.notify('document/didSave', { uri: entry.uri });
  touch(document);
}

// MARK: Coming and going

/**
 * The tabs that show a file.
 * @param {import('vscode').Uri} uri
 */
function tabs(uri) {
  const key = uri.toString();
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => {
    if (tab.input instanceof vscode.TabInputText) return tab.input.uri.toString() === key;
    if (!(tab.input instanceof vscode.TabInputTextDiff)) return false;
    return tab.input.original.toString() === key || tab.input.modified.toString() === key;
  });
}

/**
 * What is shown becomes a document; of these, the one in front is what the person does now.
 */
function showing() {
  for (const editor of vscode.window.visibleTextEditors) {
    const entry = adopt(editor.document);
    if (entry) entry.wasShown = true;
  }
  const active = vscode.window.activeTextEditor;
  const entry = active && open.get(active.document.uri.toString());
  if (!entry || !vscode.window.state.focused) return;
  if (current !== entry) tellCurrent(entry);
  touch(entry.document);
}

/**
 * The window came to front.
 */
function focused() {
  current = undefined;
  showing();
}

/**
 * @param {Entry} entry
 */
function isGone(entry) {
  const { document } = entry;
  const key = document.uri.toString();
  if (document.isClosed) return !vscode.workspace.textDocuments.some((each) => each.uri.toString() === key);
  return entry.wasShown && tabs(document.uri).length === 0;
}

/**
 * A tab or a document went. It may come back at once: a document does whose language or name changes.
 */
function closing() {
  setTimeout(() => {
    if (isLeaving) return;
    for (const [key, entry] of [...open]) {
      if (!isGone(entry)) continue;
      open.delete(key);
      if (current === entry) current = undefined;
      void connection.request('document/close', { uri: entry.uri });
    }
    showing();
  }, settling);
}

/**
 * The person gave a file, or a folder, another name in the editor. The document comes anew by that.
 * @param {import('vscode').Uri} from
 * @param {import('vscode').Uri} to
 */
function renamed(from, to) {
  for (const [key, entry] of [...open]) {
    const path = entry.document.uri.path;
    const isBelow = path.startsWith(from.path + '/');
    if (from.scheme !== 'file' || path !== from.path && !isBelow) continue;
    const uri = vscode.Uri.file(to.path + path.slice(from.path.length));
    follow(key, entry, uri);
  }
}

/**
 * The document is `uri` now: the entry goes on with what the editor shows by that name.
 * @param {string} key
 * @param {Entry} entry
 * @param {import('vscode').Uri} uri
 */
function follow(key, entry, uri) {
  const next = uri.toString();
  const newURI = names.uri(uri.path);
  connection.notify('document/didMove', { uri: entry.uri, newUri: newURI });
  open.delete(key);
  const taken = open.get(next);
  if (taken) {
    Object.assign(taken, { usedAt: entry.usedAt, typedAt: entry.typedAt, isWorkedOn: entry.isWorkedOn });
    if (current === entry) current = taken;
    return;
  }
  entry.uri = newURI;
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === next);
  if (document) {
    entry.document = document;
    open.set(next, entry);
    settle(entry);
    void stamp(entry);
  } else {
    void connection.request('document/close', { uri: newURI });
  }
}

/**
 * A server that was just started hears everything.
 */
function sayAll() {
  for (const entry of open.values()) void sayOpen(entry);
  const here = current;
  current = undefined;
  showing();
  if (!current && here && [...open.values()].includes(here)) tellCurrent(here);
}

/**
 * The last that is told.
 */
function leave() {
  isLeaving = true;
  clearTimeout(telling);
  tellChanges();
}

function forget() {
  open.clear();
  current = undefined;
  clearTimeout(telling);
  telling = undefined;
}

// MARK: Rounds

/**
 * Whether the person types in another document than this.
 * @param {Entry | undefined} entry
 */
function isBusyElsewhere(entry) { return [...open.values()].some((each) => each !== entry && !isPause(each)); }

/**
 * Why it is not saved, in one sentence; undefined where it is, or will be.
 * @param {Entry} entry
 * @param {boolean} isRequested
 */
async function save(entry, isRequested) {
  await entry.looking;
  // One record for what is typed in one go: the round waits for its end, but not for long.
  const end = Date.now() + 2 * pause;
  while (settings.autosave(entry.document.uri) && !isLeaving && !isRequested && !isPause(entry)
    && Date.now() < end) {
    await new Promise((resolve) => { setTimeout(() => resolve(undefined), 50); });
  }
  const outcome = entry.isReadOnly ? { isSaved: false, reason: 'is shown for reading alone' }
    : await saving.save(entry.document, entry.stamp, () => { look(entry); return isRequested || isPause(entry); });
  if (outcome.isRetried) {
    entry.isWanted = true;
    setTimeout(() => tellSoon(0), pause);
  } else if (!outcome.isSaved && outcome.reason !== undefined) {
    const name = names.short(entry.document.uri.path);
    messages.once(name + ' is handed over without your last changes: it ' + outcome.reason);
    return name + ' ' + outcome.reason;
  }
  return undefined;
}

/**
 * `activity/update`. On the device `requestedBy` the person goes on with it: nobody is in the middle of a word here.
 * @param {any} params
 */
async function round(params) {
  const entry = find(params.uri);
  if (!entry) return {};
  look(entry);
  const version = entry.document.version;
  const isRequested = typeof params.requestedBy === 'string';
  let refusal;
  if (!isLeaving && entry.document.isDirty) {
    refusal = await save(entry, isRequested);
    // What formatting changed is not what the person did.
    if (entry.document.version !== version && !entry.document.isDirty) settle(entry);
  }
  look(entry);
  // What the person did is told by the round; what saving did is not theirs.
  entry.told = entry.seen;
  entry.isTouched = false;
  return {
    // Where CR alone ends a line here, lines are no lines for others.
    place: entry.stamp?.form.hasLoneReturn ? undefined : entry.seen.place,
    edited: entry.document.isDirty, title: names.short(entry.document.uri.path),
    refusal: isRequested ? refusal : undefined,
  };
}

// MARK: Looking up

/**
 * A document by its name or by the file that it leads to; undefined.
 * @param {unknown} uri
 */
function find(uri) {
  const path = names.path(uri);
  if (path === undefined) return undefined;
  const all = [...open.values()];
  const named = all.find((entry) => entry.uri === uri || entry.document.uri.path === path);
  const resolved = named ? undefined : stamps.resolved(path);
  return named ?? (resolved === undefined ? undefined
    : all.find((entry) => stamps.resolved(entry.document.uri.path) === resolved));
}

/**
 * @param {import('vscode').TextDocument} document
 */
function entryOf(document) { return open.get(document.uri.toString()); }

function all() { return [...open.values()]; }

/**
 * Whether the person works on this document here, and nothing newer lies beneath.
 * @param {unknown} uri
 */
function isWorkedOn(uri) {
  const entry = find(uri);
  if (!entry) return false;
  look(entry);
  return entry.isWorkedOn && isUnchanged(entry);
}

/**
 * `document/standingDidChange`.
 * @param {any} params
 */
function stood(params) {
  const entry = find(params.uri);
  if (!entry) return;
  entry.standing = params;
  entry.stoodCount += 1;
  if (params.synced && !entry.stamp) void stamp(entry);
}

module.exports = {
  configure, touch, adopt, wasRead, changed, saved, tabs, showing, focused, closing, renamed, follow, sayAll, leave,
  forget, isBusyElsewhere, round, find, entryOf, all, isWorkedOn, stood,
};
