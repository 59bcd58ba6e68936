// SPDX-License-Identifier: MIT
// The settings `continuo.*`, as they are now.
'use strict';

const vscode = require('vscode');

const standard = ['continuo', 'serve', '--stdio'];

/**
 * Program and arguments; undefined where the setting is no such thing.
 * @returns {string[] | undefined}
 */
function command() {
  const found = vscode.workspace.getConfiguration('continuo').get('command', standard);
  const isRight = Array.isArray(found) && found.length > 0
    && found.every((each) => typeof each === 'string' && each !== '' && !each.includes('\0'));
  return isRight ? found : undefined;
}

/**
 * Whether a document may be saved before it is offered.
 * @param {import('vscode').Uri} uri
 */
function autosave(uri) { return vscode.workspace.getConfiguration('continuo', uri).get('autosave', true) === true; }

/**
 * How an offer is shown: "notification", "statusBar" or "off".
 */
function prompt() { return vscode.workspace.getConfiguration('continuo').get('prompt', 'notification'); }

function app() {
  const found = vscode.workspace.getConfiguration('continuo').get('app', '');
  return typeof found === 'string' && found !== '' ? found : 'com.visualstudio.code';
}

module.exports = { command, autosave, prompt, app };
