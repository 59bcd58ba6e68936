// SPDX-License-Identifier: MIT
// Continuo for VS Code and its family: what is edited here can be continued on another device, and the other way
// round. README.md describes it.
'use strict';

const vscode = require('vscode');
const connection = require('./lib/connection');
const documents = require('./lib/documents');
const files = require('./lib/files');
const health = require('./lib/health');
const messages = require('./lib/messages');
const names = require('./lib/names');
const offers = require('./lib/offers');
const others = require('./lib/others');
const prompt = require('./lib/prompt');
const restoring = require('./lib/restoring');
const versions = require('./lib/versions');
const waits = require('./lib/waits');

// MARK: What the server says

/** @type {Record<string, (params: any) => unknown>} */
const notifications = {
  'offers/didChange': (params) => {
    offers.changed(params.offers);
    others.refresh();
  },
  'connection/didChange': (params) => { if (params.connected === true) offers.renew(); },
  'continuation/willContinue': (params) => offers.willContinue(params.request, params.offer),
  'continuation/progress': (params) => offers.progressed(params.request, params.offer, params.status),
  'continuation/didFail': (params) => offers.failed(params.request, params.message, params.shown),
  'document/changedOnDisk': (params) => files.changedOnDisk(params),
  'document/standingDidChange': (params) => documents.stood(params),
  'activity/wasContinued': (params) => others.wasContinued(params),
  'activity/withheld': (params) => messages.once(names.shortOf(params.uri) + ' is not offered: ' + params.reason),
};

/**
 * @param {string} method
 * @param {any} params
 */
async function notification(method, params) {
  try {
    await notifications[method]?.(params);
  } catch (failure) {
    void messages.warn(method + ': ' + failure);
  }
}

/** @type {Record<string, (params: any) => Promise<any>>} */
const requests = {
  'activity/update': (params) => documents.round(params),
  'document/restore': (params) => restoring.restore(params, offers.finish(params.request)),
};

/**
 * @param {string} method
 * @param {any} params
 */
function request(method, params) {
  const answer = Object.hasOwn(requests, method) ? requests[method] : undefined;
  return answer?.(params).catch((failure) => {
    void messages.warn(method + ': ' + failure);
    return method === 'document/restore' ? { opened: false, message: String(failure) } : {};
  });
}

function ready() {
  offers.renew();
  documents.sayAll();
}

function forget() {
  offers.forget();
  others.forget();
}

// MARK: What the person does

/** @type {Record<string, (...given: any[]) => unknown>} */
const commands = {
  'continuo.resume': (title) => offers.resume(title),
  'continuo.offers': () => offers.chooseOffer(),
  'continuo.choose': (choice) => waits.choose(choice),
  'continuo.cancel': () => waits.cancel(),
  'continuo.dismiss': () => offers.dismiss(),
  'continuo.jump': () => restoring.jump(),
  'continuo.resolve': (uri) => versions.resolve(uri),
  'continuo.status': () => health.status(),
  'continuo.health': () => health.check(),
  'continuo.start': () => connection.restart(),
  'continuo.stop': async () => {
    await connection.stop();
    forget();
  },
};

/**
 * @param {import('vscode').TextDocument} document
 */
function touch(document) {
  documents.touch(document);
  // Perhaps the offer brings nothing any more.
  if (prompt.state.text !== undefined) offers.refresh();
}

function listen() {
  const { window, workspace } = vscode;
  return [
    window.onDidChangeVisibleTextEditors(() => documents.showing()),
    window.onDidChangeActiveTextEditor(() => {
      documents.showing();
      others.show();
    }),
    window.onDidChangeWindowState((state) => {
      if (!state.focused) return;
      documents.focused();
      offers.refresh();
    }),
    window.onDidChangeTextEditorSelection((event) => touch(event.textEditor.document)),
    window.onDidChangeTextEditorVisibleRanges((event) => documents.touch(event.textEditor.document)),
    window.tabGroups.onDidChangeTabs((event) => { if (event.closed.length > 0) documents.closing(); }),
    workspace.onDidChangeTextDocument((event) => {
      // After a save the event says only that nothing is unsaved.
      if (event.contentChanges.length > 0) void documents.changed(event.document);
      else documents.touch(event.document);
      if (prompt.state.text !== undefined) offers.refresh();
    }),
    workspace.onDidSaveTextDocument((document) => documents.saved(document)),
    workspace.onDidCloseTextDocument(() => documents.closing()),
    workspace.onDidRenameFiles((event) => {
      for (const each of event.files) documents.renamed(each.oldUri, each.newUri);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('continuo')) offers.refresh();
    }),
  ];
}

/**
 * The first release that has all that is used here.
 */
function isNewEnough() {
  const [major, minor] = vscode.version.split('.').map(Number);
  return major > 1 || major === 1 && minor >= 82;
}

/**
 * @param {import('vscode').ExtensionContext} context
 */
function activate(context) {
  const { subscriptions } = context;
  if (!isNewEnough()) {
    void messages.warn('this editor is older than VS Code 1.82: nothing is handed over. Install a newer one');
    return;
  }
  documents.configure(others.takeBack);
  connection.configure({ ready, notification, request, ended: forget });
  for (const [name, run] of Object.entries(commands)) {
    subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  subscriptions.push(...listen());
  documents.showing();
  // Who begins without a file looks for what there is to continue.
  connection.start();
}

/**
 * The last state is told; what is open stays offered.
 */
async function deactivate() {
  documents.leave();
  await connection.stop();
  forget();
  documents.forget();
  restoring.forget();
  prompt.end();
  others.end();
  messages.end();
}

module.exports = { activate, deactivate };
