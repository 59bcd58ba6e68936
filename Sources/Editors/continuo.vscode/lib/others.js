// SPDX-License-Identifier: MIT
// Who else has a document: the device that goes on with it, and those that edit it, too.
'use strict';

const vscode = require('vscode');
const connection = require('./connection');
const documents = require('./documents');
const messages = require('./messages');
const names = require('./names');
const shown = require('./shown');

// By entry: what is shown of the device that goes on with it, and of one that edits it.
/** @type {WeakMap<object, string>} */
let continued = new WeakMap();
/** @type {WeakMap<object, string>} */
let editing = new WeakMap();
/** @type {import('vscode').StatusBarItem | undefined} */
let item;

/**
 * @param {number} number
 */
function two(number) { return String(number).padStart(2, '0'); }

/**
 * The time of day, with the date where it is not today's.
 * @param {unknown} milliseconds
 */
function clock(milliseconds) {
  if (typeof milliseconds !== 'number' || !Number.isFinite(milliseconds)) return undefined;
  const moment = new Date(milliseconds);
  const time = two(moment.getHours()) + ':' + two(moment.getMinutes());
  if (moment.toDateString() === new Date().toDateString()) return time;
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${time}`;
}

/**
 * What is to be said of a document; undefined for nothing.
 * @param {import('./entries').Entry | undefined} entry
 */
function line(entry) { return entry && (continued.get(entry) ?? editing.get(entry)); }

/**
 * Shows what there is to say of the document in front.
 */
function show() {
  const active = vscode.window.activeTextEditor;
  const told = active && line(documents.entryOf(active.document));
  if (told === undefined) return item?.hide();
  item ??= vscode.window.createStatusBarItem('continuo.others', vscode.StatusBarAlignment.Left, -1);
  item.name = 'Continuo: other devices';
  item.text = shown.label(told);
  item.tooltip = told;
  item.show();
}

/**
 * `activity/wasContinued`.
 * @param {any} params
 */
function wasContinued(params) {
  const moment = clock(params.at);
  const sentence = 'continued on ' + params.device + (moment ? ' at ' + moment : '');
  const entry = params.uri === undefined ? undefined : documents.find(params.uri);
  if (entry && params.givenUp) continued.set(entry, sentence);
  void messages.tell((params.uri === undefined ? 'your work' : names.shortOf(params.uri)) + ' was ' + sentence);
  show();
}

/**
 * The person changed the document here, or saved it: it is theirs again.
 * @param {import('./entries').Entry} entry
 */
function takeBack(entry) { if (continued.delete(entry)) show(); }

/**
 * @param {any} editor
 */
function sentence(editor) {
  const since = clock(editor.since);
  if (editor.leftOpen) return editor.device + ' left this open' + (since ? ' at ' + since : '');
  return editor.device + ' is editing this' + (since ? ' since ' + since : '')
    + (editor.unsavedChanges ? ', with unsaved changes' : '');
}

/**
 * What other devices offer has changed: asks who edits each document elsewhere.
 */
function refresh() {
  for (const entry of documents.all()) {
    void connection.request('document/otherEditors', { uri: entry.uri }).then(({ result }) => {
      const first = result?.editors?.[0];
      if (first) editing.set(entry, sentence(first));
      else editing.delete(entry);
      show();
    });
  }
}

/**
 * The server is gone, and what it told.
 */
function forget() {
  continued = new WeakMap();
  editing = new WeakMap();
  show();
}

function end() {
  item?.dispose();
  item = undefined;
}

module.exports = { wasContinued, takeBack, refresh, show, line, forget, end };
