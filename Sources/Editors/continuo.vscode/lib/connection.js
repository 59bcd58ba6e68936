// SPDX-License-Identifier: MIT
// The server, `continuo serve --stdio`. It is started when it is first needed, and started again when it dies.
'use strict';

const childProcess = require('child_process');
const vscode = require('vscode');
const { Framing, encode } = require('./framing');
const messages = require('./messages');
const settings = require('./settings');
const shown = require('./shown');

/** @typedef {{ code?: string | number, message: string }} Failure */
/** @typedef {{ failure?: Failure, result?: any }} Answer */
/**
 * @typedef {{
 *   ready: () => void, ended: () => void, notification: (method: string, params: any) => void,
 *   request: (method: string, params: any) => Promise<any> | undefined,
 * }} Handlers
 */

const patience = { count: 5, milliseconds: 60000, shutdown: 2000 };
/** @type {Failure} */
const away = { message: 'the server is not running: "Continuo: Start" starts it' };

const state = {
  // What the agent's state is, as the server told; undefined before.
  /** @type {boolean | undefined} */
  connected: undefined,
  // Why there is no server; undefined while there is one, or none was needed yet.
  /** @type {string | undefined} */
  obstacle: undefined,
  // What it last said on standard error.
  /** @type {string[]} */
  errors: [],
};

/** @type {import('child_process').ChildProcess | undefined} */
let server;
let isReady = false;
let isStopped = false;
/** @type {number[]} */
let starts = [];
let lastID = 0;
/** @type {Map<number, (answer: Answer) => void>} */
const answers = new Map();
/** @type {Handlers} */
let handlers = { ready() {}, ended() {}, notification() {}, request: () => undefined };

/**
 * `handlers.request` gives undefined for a method that it does not know.
 * @param {Handlers} given
 */
function configure(given) { handlers = given; }

function isRunning() { return server !== undefined; }

/**
 * @param {string} sentence
 */
function giveUp(sentence) {
  state.obstacle = shown.text(sentence);
  messages.once(state.obstacle);
}

function forget() {
  server = undefined;
  isReady = false;
  state.connected = undefined;
  for (const answer of answers.values()) answer({ failure: away });
  answers.clear();
}

/**
 * @param {object} message
 */
function say(message) { server?.stdin?.write(encode({ jsonrpc: '2.0', ...message })); }

/**
 * @param {string} method
 * @param {object | null} params
 * @returns {Promise<Answer>}
 */
function ask(method, params) {
  return new Promise((resolve) => {
    lastID += 1;
    answers.set(lastID, resolve);
    say({ id: lastID, method, ...(params === null ? {} : { params }) });
  });
}

/**
 * Never fails: the answer is a failure where the server dies, or there is none. Nothing is kept for later: `ready`
 * says everything again.
 * @param {string} method
 * @param {object} params
 * @returns {Promise<Answer>}
 */
async function request(method, params) { return isReady ? ask(method, params) : { failure: away }; }

/**
 * @param {string} method
 * @param {object} params
 */
function notify(method, params) { if (isReady) say({ method, params }); }

/**
 * @param {string} method
 * @param {any} params
 */
function notification(method, params) {
  if (method === 'connection/didChange') {
    state.connected = params.connected === true;
    if (state.connected) messages.again();
    else if (params.message) messages.once(params.message);
  }
  handlers.notification(method, params);
}

/**
 * @param {number | string} id
 * @param {string} method
 * @param {any} params
 */
async function answerTo(id, method, params) {
  const mine = server;
  const found = handlers.request(method, params);
  const answer = found === undefined
    ? { error: { code: -32601, message: method + ' is not known here' } }
    : { result: shown.message(await found) ?? null };
  if (server === mine) say({ id, ...answer });
}

/**
 * @param {any} message
 */
function hear(message) {
  const params = shown.message(message.params ?? {});
  if (typeof message.method === 'string') {
    if (message.id === undefined || message.id === null) return notification(message.method, params);
    return void answerTo(message.id, message.method, params);
  }
  const answer = answers.get(message.id);
  answers.delete(message.id);
  answer?.(shown.message(message.error ? { failure: message.error } : { result: message.result }));
}

/**
 * @param {string} how
 */
function ended(how) {
  forget();
  handlers.ended();
  // Older starts are forgotten.
  const now = Date.now();
  starts = starts.filter((moment) => now - moment < patience.milliseconds);
  if (starts.length >= patience.count) {
    return giveUp(`the server ended ${patience.count} times in a minute (${how}); "Continuo: Start" tries again, `
      + '"Continuo: Status" shows what it said');
  }
  setTimeout(() => { if (!isStopped) start(); }, 100 * 2 ** starts.length);
}

/**
 * @param {string[]} command
 * @param {NodeJS.ErrnoException} failure
 */
function cannotStart(command, failure) {
  forget();
  handlers.ended();
  if (failure.code === 'ENOENT') {
    return giveUp(command[0] + ' is not installed, or not on PATH: nothing is handed over. Install Continuo, or say '
      + 'where it is in the setting continuo.command; then "Continuo: Start"');
  }
  giveUp(command.join(' ') + ' does not start: ' + failure.message);
}

/**
 * @param {string[]} command
 */
function spawn(command) {
  const mine = childProcess.spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
  server = mine;
  const framing = new Framing(
    (message) => { if (server === mine) hear(message); },
    (reason) => {
      state.errors.push('The server is ended: ' + reason);
      mine.kill();
    });
  mine.stdout?.on('data', (bytes) => framing.feed(bytes));
  mine.stderr?.on('data', (bytes) => {
    state.errors.push(...bytes.toString('utf8').split('\n').filter((line) => line !== ''));
    state.errors.splice(0, Math.max(0, state.errors.length - 20));
  });
  // Its end is told by `close`.
  mine.stdin?.on('error', () => {});
  mine.on('error', (failure) => { if (server === mine) cannotStart(command, failure); });
  mine.on('close', (code, signal) => {
    if (server === mine) ended(signal ? 'signal ' + signal : 'exit code ' + code);
  });
}

async function initialize() {
  const mine = server;
  const { failure, result } = await ask('initialize', {
    protocolVersion: 2, app: { id: settings.app(), name: shown.text(vscode.env.appName), version: vscode.version },
    positionEncoding: 'utf-16', capabilities: { continueActivity: false },
  });
  if (server !== mine || mine === undefined) return;
  if (failure) {
    isStopped = true;
    say({ method: 'exit' });
    forget();
    return giveUp('the server refuses this editor: ' + failure.message);
  }
  isReady = true;
  state.connected = result?.connected === true;
  handlers.ready();
}

/**
 * Starts the server if none runs.
 */
function start() {
  if (server) return;
  isStopped = false;
  const command = settings.command();
  if (!command) {
    return giveUp('the setting continuo.command is no list of a program and its arguments, as '
      + '["continuo", "serve", "--stdio"] is');
  }
  starts.push(Date.now());
  state.obstacle = undefined;
  state.errors = [];
  try {
    spawn(command);
  } catch (failure) {
    return cannotStart(command, /** @type {NodeJS.ErrnoException} */ (failure));
  }
  void initialize();
}

/**
 * The person asks for it: earlier failures count no more.
 */
function restart() {
  starts = [];
  messages.again();
  start();
}

/**
 * Says the last state and ends the server; waits at most two seconds for it.
 */
async function stop() {
  isStopped = true;
  const mine = server;
  if (!mine) return;
  if (isReady) {
    await Promise.race([
      ask('shutdown', null), new Promise((resolve) => { setTimeout(resolve, patience.shutdown).unref(); }),
    ]);
    if (server === mine) say({ method: 'exit' });
  }
  mine.stdin?.end();
  if (server === mine) forget();
}

module.exports = { state, configure, isRunning, request, notify, start, restart, stop };
