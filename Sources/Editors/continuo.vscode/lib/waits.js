// SPDX-License-Identifier: MIT
// Continuations that wait for a version, and how offers are called.
'use strict';

const vscode = require('vscode');
const connection = require('./connection');
const messages = require('./messages');
const names = require('./names');
const prompt = require('./prompt');
const shown = require('./shown');

/** @typedef {{ arrival: string, reason?: string, received?: number, expected?: number }} Status */
/**
 * @typedef {{
 *   id: string, device: string, type: string, title?: string, path?: string, folder?: string, uri?: string,
 *   changedAt: number, unsavedChanges: boolean, remark?: string, status: Status,
 * }} Offer
 */
/**
 * @typedef {{
 *   offer: Offer, at: number, status?: Status, shown?: import('./prompt').Waiting, isAsked: boolean,
 *   asking?: NodeJS.Timeout,
 * }} Wait
 */

/** @type {Map<string, Wait>} */
const waits = new Map();
// How long the version may be on its way before the person is asked.
const patience = 10000;

/**
 * @param {Offer} offer
 */
function title(offer) { return offer.title || (offer.path ? names.short(offer.path) : offer.type); }

/**
 * @param {Offer} offer
 */
function label(offer) {
  return title(offer) + ' from ' + offer.device + (offer.unsavedChanges ? ', with unsaved changes there' : '');
}

/**
 * @param {number} bytes
 */
function size(bytes) {
  if (bytes < 10240) return bytes + ' B';
  return bytes < 10485760 ? Math.floor(bytes / 1024) + ' kB' : Math.floor(bytes / 1048576) + ' MB';
}

/**
 * @param {Status | undefined} status
 */
function progress(status) {
  return status?.expected ? ` (${size(status.received ?? 0)} of ${size(status.expected)})` : '';
}

/**
 * @param {string} request
 * @param {Offer} offer
 * @param {number} at when the person asked for it
 */
function begin(request, offer, at) { waits.set(request, { offer, at, isAsked: false }); }

/**
 * @param {string} request
 */
function has(request) { return waits.has(request); }

/**
 * The wait that began last; undefined.
 */
function last() { return [...waits.values()].sort((left, right) => right.at - left.at)[0]; }

/**
 * @param {Wait} wait
 */
function requestOf(wait) { return [...waits].find(([, each]) => each === wait)?.[0]; }

/**
 * How far the version is. One that is not simply on its way is the person's to decide about.
 * @param {string} request
 * @param {Status} status
 */
function progressed(request, status) {
  const wait = waits.get(request);
  if (!wait) return;
  wait.status = status;
  wait.shown ??= new prompt.Waiting(
    'Waiting for ' + label(wait.offer), () => { void connection.request('continuation/cancel', { request }); });
  const share = status.expected ? 100 * (status.received ?? 0) / status.expected : 0;
  wait.shown.report((status.reason ?? '') + progress(status), share);
  if (status.arrival === 'behind' || status.arrival === 'current') {
    wait.asking ??= setTimeout(() => ask(request), patience);
  } else {
    ask(request);
  }
}

const choices = new Map([
  ['Open what is here, for reading', 'openHere'], ['Keep waiting', 'keepWaiting'], ['Give up', 'giveUp'],
]);

/**
 * @param {Wait} wait
 */
function question(wait) {
  const reason = wait.status?.reason ? ': ' + wait.status.reason : '';
  const isOld = wait.status?.arrival === 'diverged';
  return (isOld ? title(wait.offer) + ' has diverged' : 'waiting for ' + label(wait.offer)) + reason;
}

/**
 * @param {string} request
 * @param {string | undefined} words
 */
function decide(request, words) {
  const choice = words === undefined ? undefined : choices.get(words);
  if (choice !== undefined) void connection.request('continuation/choose', { request, choice });
}

/**
 * Asks once what is to become of the wait. The question takes no focus.
 * @param {string} request
 */
async function ask(request) {
  const wait = waits.get(request);
  if (!wait || wait.isAsked) return;
  wait.isAsked = true;
  const pressed = await messages.warn(question(wait), ...choices.keys());
  if (waits.get(request) === wait) decide(request, pressed);
}

/**
 * "Continuo: Choose".
 * @param {unknown} [given] a choice of the protocol
 */
async function choose(given) {
  const wait = last();
  const request = wait && requestOf(wait);
  if (!wait || request === undefined) return void messages.tell('nothing waits');
  if ([...choices.values()].includes(String(given))) {
    return void connection.request('continuation/choose', { request, choice: given });
  }
  const picked = await vscode.window.showQuickPick([...choices.keys()], { placeHolder: shown.text(question(wait)) });
  decide(request, picked);
}

/**
 * "Continuo: Cancel".
 */
function cancel() {
  const wait = last();
  const request = wait && requestOf(wait);
  if (request === undefined) return void messages.tell('nothing waits');
  void connection.request('continuation/cancel', { request });
}

/**
 * The wait is over.
 * @param {string} request
 */
function end(request) {
  const wait = waits.get(request);
  waits.delete(request);
  wait?.shown?.end();
  clearTimeout(wait?.asking);
  return wait;
}

function forget() { for (const request of [...waits.keys()]) end(request); }

/**
 * Lines for "Continuo: Status".
 */
function lines() {
  return [...waits.values()].map(({ offer, status }) => {
    if (!status) return '  continuing ' + label(offer);
    return '  waiting for ' + label(offer) + progress(status) + (status.reason ? ': ' + status.reason : '');
  });
}

module.exports = { title, label, begin, has, last, progressed, choose, cancel, end, forget, lines };
