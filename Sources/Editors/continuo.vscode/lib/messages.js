// SPDX-License-Identifier: MIT
// What the person is told: notifications, which take neither focus nor keys, and the last sentences in full for
// "Continuo: Status".
'use strict';

const vscode = require('vscode');
const shown = require('./shown');

const kept = 50;
/** @type {string[]} */
const log = [];
/** @type {Set<string>} */
let told = new Set();
/** @type {import('vscode').OutputChannel | undefined} */
let channel;

/**
 * @param {string} given
 */
function note(given) {
  const sentence = shown.text(given);
  log.push(new Date().toTimeString().slice(0, 9) + sentence);
  if (log.length > kept) log.shift();
  return sentence;
}

/**
 * Resolves with the button that was pressed, or undefined. Buttons are never made of names.
 * @param {string} given
 * @param {string[]} buttons
 * @returns {Promise<string | undefined>}
 */
async function tell(given, ...buttons) {
  return vscode.window.showInformationMessage('Continuo: ' + shown.sentence(note(given)), ...buttons);
}

/**
 * @param {string} given
 * @param {string[]} buttons
 * @returns {Promise<string | undefined>}
 */
async function warn(given, ...buttons) {
  return vscode.window.showWarningMessage('Continuo: ' + shown.sentence(note(given)), ...buttons);
}

/**
 * The same sentence is told once, until `again` is called.
 * @param {string} given
 */
function once(given) {
  const sentence = shown.text(given);
  if (told.has(sentence)) return;
  told.add(sentence);
  void warn(sentence);
}

function again() { told = new Set(); }

/**
 * Lines that the person asked for. The focus stays where it is.
 * @param {string[]} lines
 */
function show(lines) {
  channel ??= vscode.window.createOutputChannel('Continuo');
  channel.clear();
  for (const line of lines) channel.appendLine(shown.text(line));
  channel.show(true);
}

function end() {
  channel?.dispose();
  channel = undefined;
  log.length = 0;
  again();
}

module.exports = { tell, warn, once, again, show, end, log };
