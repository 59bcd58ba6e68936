// SPDX-License-Identifier: MIT
// What other devices offer, and what the person decides about it.
'use strict';

const vscode = require('vscode');
const connection = require('./connection');
const documents = require('./documents');
const messages = require('./messages');
const prompt = require('./prompt');
const settings = require('./settings');
const shown = require('./shown');
const waits = require('./waits');

/** @typedef {import('./waits').Offer} Offer */

/** @type {Offer[]} */
let list = [];
// By offer's ID: when it has to have changed again to be shown, after the person put it away or continued it.
/** @type {Map<string, number>} */
let hidden = new Map();
// By offer's ID: when it was accepted; whether a notification was shown.
/** @type {Map<string, number>} */
let accepted = new Map();
/** @type {Set<string>} */
let notified = new Set();
// What is put away stays so for a while, in the other device's milliseconds.
const quiet = 600000;
// What the person asked to continue before the server could tell of it: called once.
/** @type {(() => void) | undefined} */
let postponed;
// Since when it is this server and this agent, of which no offer was told yet; a new one may tell a moment later
// what is offered.
let renewedAt = Date.now();
const patience = 5000;

// MARK: The prompt

/**
 * Whether an offer brings anything: not the text that the person works on here anyway.
 * @param {Offer} offer
 */
function brings(offer) {
  const { arrival } = offer.status;
  return arrival !== 'current' && arrival !== 'ahead' || !documents.isWorkedOn(offer.uri);
}

/**
 * The newest offer that the person has neither accepted nor put away; undefined.
 * @returns {Offer | undefined}
 */
function news() {
  const found = list.filter((offer) =>
    !accepted.has(offer.id) && offer.changedAt > (hidden.get(offer.id) ?? -1) && brings(offer));
  return found.sort((left, right) => right.changedAt - left.changedAt)[0];
}

/**
 * @param {Offer} offer
 */
async function notify(offer) {
  if (notified.has(offer.id) || settings.prompt() !== 'notification' || !vscode.window.state.focused) return;
  notified.add(offer.id);
  const pressed = await messages.tell('continue ' + waits.label(offer) + '?', 'Continue', 'Dismiss');
  if (pressed === 'Continue') accept(list.find((each) => each.id === offer.id) ?? offer);
  if (pressed === 'Dismiss') dismiss();
}

function refresh() {
  const wait = waits.last();
  if (wait) return prompt.show('⇄ … ' + waits.title(wait.offer), 'continuo.choose');
  const offer = news();
  if (!offer) return prompt.hide();
  prompt.show('⇄ ' + waits.label(offer), 'continuo.resume');
  void notify(offer);
}

// MARK: The server's news

/**
 * The newest offer of each document: an editor that was killed left its own, and began another one.
 * @param {Offer[]} all
 */
function newest(all) {
  /** @type {Map<string, Offer>} */
  const found = new Map();
  for (const offer of all) {
    const key = offer.path ? [offer.device, offer.folder ?? '', offer.path].join('\0') : '\0' + offer.id;
    const other = found.get(key);
    if (!other || offer.changedAt > other.changedAt) found.set(key, offer);
  }
  return [...found.values()];
}

/**
 * @param {Offer[] | undefined} given
 */
function changed(given) {
  list = newest(given ?? []);
  if (list.length > 0) renewedAt = -Infinity;
  const there = new Set(list.map((offer) => offer.id));
  hidden = new Map([...hidden].filter(([id]) => there.has(id)));
  accepted = new Map([...accepted].filter(([id]) => there.has(id)));
  notified = new Set([...notified].filter((id) => there.has(id)));
  refresh();
  if (list.length > 0) {
    const resumed = postponed;
    postponed = undefined;
    resumed?.();
  }
}

/**
 * @param {string} request
 * @param {Offer} offer
 */
function willContinue(request, offer) {
  const at = accepted.get(offer.id) ?? Date.now();
  accepted.set(offer.id, at);
  waits.begin(request, offer, at);
  refresh();
}

/**
 * @param {string} request
 * @param {Offer} offer
 * @param {any} status
 */
function progressed(request, offer, status) {
  if (!waits.has(request)) willContinue(request, offer);
  waits.progressed(request, status);
  refresh();
}

/**
 * The continuation is over; when the person asked for it.
 * @param {string} request
 */
function finish(request) {
  const wait = waits.end(request);
  if (wait) {
    accepted.delete(wait.offer.id);
    const offer = list.find((each) => each.id === wait.offer.id);
    if (offer) hidden.set(offer.id, offer.changedAt);
  }
  refresh();
  return wait ? wait.at : Date.now();
}

/**
 * @param {string} request
 * @param {string} message
 * @param {boolean} isShown
 */
function failed(request, message, isShown) {
  const wait = waits.end(request);
  if (wait) accepted.delete(wait.offer.id);
  if (isShown) void messages.warn(message);
  refresh();
}

/**
 * The agent can be reached, after it could not. One that was just started reads its folders first.
 */
function renew() { renewedAt = Date.now(); }

/**
 * The server is gone, and with it what it did.
 */
function forget() {
  list = [];
  accepted = new Map();
  renew();
  waits.forget();
  refresh();
}

// MARK: The person

/**
 * @param {Offer} offer
 */
async function accept(offer) {
  accepted.set(offer.id, Date.now());
  refresh();
  const { failure } = await connection.request('continuation/accept', { offer: offer.id });
  if (!failure) return;
  accepted.delete(offer.id);
  void messages.warn(failure.message);
  refresh();
}

/**
 * Starts the server, unless it runs, and continues when it tells of an offer.
 * @param {string | undefined} wanted
 */
function resumeLater(wanted) {
  const resumed = () => { void resumeNow(wanted); };
  postponed = resumed;
  if (!connection.isRunning()) connection.restart();
  setTimeout(() => {
    if (postponed !== resumed) return;
    postponed = undefined;
    if (connection.state.obstacle === undefined) resumed();
  }, patience);
}

/**
 * @param {Offer[]} found
 */
async function choose(found) {
  const items = found.map((offer) => ({ label: shown.label(waits.label(offer)), offer }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'What to continue here' });
  if (picked) await accept(picked.offer);
}

/**
 * Continues the offer called `wanted`, the only one, or one that the person chooses.
 * @param {unknown} [wanted]
 */
async function resume(wanted) {
  const name = typeof wanted === 'string' ? wanted : undefined;
  const isEarly = list.length === 0 && Date.now() - renewedAt < patience;
  if (!connection.isRunning() || isEarly) return resumeLater(name);
  await resumeNow(name);
}

/**
 * @param {string | undefined} name
 */
async function resumeNow(name) {
  const found = name === undefined ? list : list.filter((offer) => waits.title(offer) === name);
  if (found.length === 0) {
    void messages.tell(name === undefined
      ? 'no other device offers anything; "Continuo: Status" tells how this one stands'
      : 'nobody offers ' + name + '; "Continuo: Offers" lists what there is');
  } else if (found.length === 1) {
    await accept(found[0]);
  } else {
    await choose(found);
  }
}

/**
 * The list, to choose from, however short.
 */
async function chooseOffer() { return list.length === 0 ? resume() : choose(list); }

function dismiss() {
  for (const offer of list) {
    hidden.set(offer.id, offer.changedAt + quiet);
    notified.delete(offer.id);
  }
  refresh();
}

/**
 * Lines for "Continuo: Status".
 */
function lines() {
  return list.map((offer) => '  ' + waits.label(offer) + (offer.remark ? ' (' + offer.remark + ')' : ''));
}

/**
 * The name of what an offer is of, for a restored document.
 * @param {any} offer
 */
function device(offer) { return typeof offer?.device === 'string' ? offer.device : 'the other device'; }

module.exports = {
  refresh, changed, willContinue, progressed, finish, failed, renew, forget, resume, chooseOffer, dismiss, lines,
  device,
};
