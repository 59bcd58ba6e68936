// SPDX-License-Identifier: MIT
// "Continuo: Health" and "Continuo: Status": what is missing and what to do, and how all stands, in sentences.
'use strict';

const childProcess = require('child_process');
const vscode = require('vscode');
const connection = require('./connection');
const documents = require('./documents');
const messages = require('./messages');
const offers = require('./offers');
const others = require('./others');
const settings = require('./settings');
const waits = require('./waits');

/**
 * Whether the program ends with 0, or why it does not.
 * @param {string} program
 * @param {string[]} words
 * @returns {Promise<string | undefined>}
 */
function failureOf(program, words) {
  return new Promise((resolve) => {
    childProcess.execFile(program, words, { timeout: 10000 }, (failure) => {
      resolve(failure ? String(failure.code ?? failure.message) : undefined);
    });
  });
}

/**
 * What an edition keeps from the extension, with the setting that helps.
 */
function edition() {
  const lines = [];
  if (process.env.FLATPAK_ID) {
    lines.push('This is a Flatpak edition, which cannot start programs of the system by itself: set continuo.command '
      + 'to ["flatpak-spawn", "--host", "continuo", "serve", "--stdio"], and allow it with '
      + 'flatpak override --user --talk-name=org.freedesktop.Flatpak ' + process.env.FLATPAK_ID);
  }
  if (process.env.SNAP) {
    lines.push('This is a Snap edition: one with classic confinement starts continuo as any other does; a strictly '
      + 'confined one cannot, so install the editor from a package instead');
  }
  const { remoteName } = vscode.env;
  if (remoteName) {
    lines.push('This window edits files of another machine (' + remoteName + '): the extension runs there, and needs '
      + 'Continuo installed there, with the folder registered there');
  }
  return lines;
}

async function program() {
  const command = settings.command();
  if (!command) return ['WRONG: the setting continuo.command is no list of a program and its arguments'];
  const failure = await failureOf(command[0], [...command.slice(1).filter((word) => word !== '--stdio'), '--help']);
  if (failure === undefined) return [command[0] + ' is installed, and serves editors'];
  if (failure === 'ENOENT') {
    return ['WRONG: ' + command[0] + ' is not on PATH: install Continuo, or say where it is in continuo.command'];
  }
  return ['WRONG: ' + command.join(' ') + ' fails (' + failure + '): install a newer Continuo'];
}

function server() {
  const { connected, obstacle } = connection.state;
  if (obstacle !== undefined) return 'WRONG: ' + obstacle;
  if (!connection.isRunning()) return 'The server is not running: "Continuo: Start" starts it';
  if (connected) return 'The server runs, and is connected to the agent';
  return 'WRONG: the server runs, but cannot reach the agent: look at `continuo status` in a terminal';
}

/**
 * @param {import('./entries').Entry} entry
 */
function standing(entry) {
  const { synced, folder, reason } = entry.standing ?? {};
  const how = synced ? ' is in ' + (folder ?? 'a synced folder') : ': ' + (reason ?? 'the server has not told yet');
  const line = others.line(entry);
  return '  ' + entry.document.uri.path + how + (line ? '; ' + line : '');
}

function documentLines() {
  const lines = documents.all().map(standing);
  return lines.length === 0 ? ['  no file is open'] : lines;
}

async function report() {
  const active = vscode.window.activeTextEditor?.document;
  const scheme = active?.uri.scheme;
  return [
    'Continuo in ' + vscode.env.appName + ' ' + vscode.version, ...edition(), ...await program(), server(),
    'Documents:', ...documentLines(),
    ...(scheme && scheme !== 'file' && scheme !== 'output'
      ? ['  The active editor shows no file of this machine ("' + scheme + ':"): only files are handed over'] : []),
    ...(settings.autosave(active?.uri ?? vscode.Uri.file('/')) ? [] : [
      'continuo.autosave is off: what is not saved is not handed over, and the other device is told so']),
  ];
}

async function check() { messages.show(await report()); }

function status() {
  messages.show([
    server(), 'Documents:', ...documentLines(), 'Offers:', ...offers.lines(), ...waits.lines(), 'Messages:',
    ...messages.log.map((line) => '  ' + line), 'The server said:',
    ...connection.state.errors.map((line) => '  ' + line),
  ]);
}

module.exports = { check, report, status };
