// SPDX-License-Identifier: MIT
// Runs tests against the extension in the stand-in, with real files: what a person does there is done as in the
// editor. Only the server is not there: what it would hear is kept in `told`, and what it would say is said by the
// test.
'use strict';

const assert = require('assert/strict');
const childProcess = require('child_process');
const { EventEmitter } = require('events');
const fs = require('fs');
const os = require('os');
const nodePath = require('path');
const { test } = require('node:test');
const { unknown } = require('./stand-in/guard');
const { start, folder: extension } = require('./stand-in/module');
const { Emitter } = require('./stand-in/values');
const { Workbench } = require('./stand-in/workbench');

const patience = 30000;

function escaped(name) {
  return Array.from(Buffer.from(name, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9\-._~/]/.test(character) ? character : '%' + byte.toString(16).toUpperCase().padStart(2, '0');
  }).join('');
}

/** In the place of the process that the extension starts. */
class Server extends EventEmitter {
  constructor(stage, words) {
    super();
    this.stage = stage;
    this.words = words;
    this.rest = Buffer.alloc(0);
    this.stdout = new EventEmitter();
    this.stderr = new EventEmitter();
    this.stdin = Object.assign(new EventEmitter(), {
      write: (bytes) => this.hear(bytes), end: () => setImmediate(() => this.exit(0)),
    });
    this.asked = new Map();
    this.lastID = 0;
  }

  hear(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (;;) {
      const match = /^Content-Length: (\d+)\r\n\r\n/.exec(this.rest.toString('latin1', 0, 100));
      if (!match || this.rest.length < match[0].length + Number(match[1])) return;
      const end = match[0].length + Number(match[1]);
      const message = JSON.parse(this.rest.toString('utf8', match[0].length, end));
      this.rest = this.rest.subarray(end);
      this.take(message);
    }
  }

  take({ id, method, params, result, error }) {
    if (method === undefined) return this.asked.get(id)(error ? { error } : result);
    this.stage.log.push({ method, params });
    if (id === undefined) return;
    const answer = this.stage.answers[method];
    const found = typeof answer === 'function' ? answer(params) : answer ?? null;
    setImmediate(() => {
      this.send(found?.error ? { id, error: found.error } : { id, result: found });
      // What comes in the same piece of the pipe.
      for (const message of this.stage.together.splice(0)) this.send(message);
    });
  }

  send(message) {
    const content = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const framed = Buffer.concat([Buffer.from(`Content-Length: ${content.length}\r\n\r\n`), content]);
    // In two pieces, as a pipe may bring it.
    const half = Math.floor(framed.length / 2);
    this.stdout.emit('data', framed.subarray(0, half));
    this.stdout.emit('data', framed.subarray(half));
  }

  ask(method, params) {
    this.lastID += 1;
    const id = 's' + this.lastID;
    return new Promise((resolve) => {
      this.asked.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  kill() { this.exit(null, 'SIGTERM'); }

  exit(code, signal = null) {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.emit('close', code, signal);
  }
}

class Stage {
  constructor(options = {}) {
    this.folder = fs.realpathSync(fs.mkdtempSync(nodePath.join(os.tmpdir(), 'continuo-vscode-')));
    if (options.isSynced !== false) fs.mkdirSync(this.path('.continuo'));
    this.options = options;
    this.servers = [];
    this.log = [];
    this.together = [];
    this.answers = {
      initialize: { protocolVersion: 2, connected: true }, 'document/open': { synced: true, folder: 'Notes' },
      'continuation/accept': { request: 'r1' }, 'document/otherEditors': { editors: [] },
    };
    this.workbench = new Workbench(options);
  }

  /** Starts the extension. */
  start() {
    const spawn = childProcess.spawn;
    childProcess.spawn = (program, words, given) => {
      if (this.options.isReal) return spawn(program, words, given);
      const server = new Server(this, [program, ...words]);
      this.servers.push(server);
      if (program === 'no-such-program') {
        setImmediate(() => server.emit('error', Object.assign(new Error('spawn ENOENT'), { code: 'ENOENT' })));
      }
      return server;
    };
    this.restoreSpawn = () => { childProcess.spawn = spawn; };
    this.running = start(this.workbench, this.options);
    if (this.options.isReal || this.options.isAlone) return undefined;
    const { state } = require(extension + '/lib/connection');
    return this.eventually('the server', () => state.connected);
  }

  async end() {
    await this.running?.end();
    this.workbench.end();
    this.restoreSpawn?.();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  get server() { return this.servers.at(-1); }

  path(name) { return this.folder + '/' + name; }
  uri(name) { return 'file://' + escaped(this.path(name)); }
  write(name, text) { fs.writeFileSync(this.path(name), text); }
  read(name) { return fs.existsSync(this.path(name)) ? fs.readFileSync(this.path(name), 'utf8') : undefined; }

  /** What was told with this method since `forget`, in order. */
  told(method) { return this.log.filter((each) => each.method === method).map((each) => each.params); }
  forget() { this.log.length = 0; }
  say(method, params) { this.server.send({ method, params }); }
  ask(method, params) { return this.server.ask(method, params); }
  round(name) { return this.ask('activity/update', { uri: this.uri(name) }); }

  async eventually(what, check) {
    const deadline = Date.now() + patience;
    for (;;) {
      const found = await check();
      if (found) return found;
      if (Date.now() > deadline) {
        throw new Error(`${what} did not come about: ${JSON.stringify(this.log.slice(-8))} ${this.workbench.told}`);
      }
      await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
  }

  /** Opens a file and waits until the server knows it. */
  async edit(name) {
    const before = this.told('document/open').length;
    const editor = this.workbench.open(this.path(name));
    await this.eventually('the file to be told', () => this.told('document/open').length > before);
    // Text and file were compared.
    await this.looked(name);
    return editor;
  }

  /** The extension has compared text and file. */
  async looked(name) {
    const documents = require(extension + '/lib/documents');
    await documents.find(this.uri(name))?.looking;
  }

  /** Rounds until the file holds the text: saving waits for a pause. */
  async saved(name, text) {
    await this.eventually(`${name} to be saved`, async () => {
      await this.round(name);
      return this.read(name) === text;
    });
  }

  /** What the editor moves by itself, after it has shown a file, is over. */
  async settled(name) {
    const documents = require(extension + '/lib/documents');
    await this.eventually('a moment', () => Date.now() - documents.find(this.uri(name)).settledAt > 300);
  }

  get document() { return this.workbench.activeEditor.shown; }
  get cursor() {
    const { active } = this.workbench.activeEditor.own;
    return [active.line, active.character];
  }
}

/** One test: a sentence that begins with its numbers of the checklist, and what it means. */
function scene(sentence, body, options) {
  test(sentence, async () => {
    const stage = new Stage(options);
    try {
      await stage.start();
      await body(stage, stage.workbench);
      // Nothing ever stands in front of what the person does, becomes an icon or a link, or fails unseen.
      assert.deepEqual(stage.workbench.dialogs, options?.dialogs ?? []);
      assert.deepEqual([stage.workbench.icons, stage.workbench.links], [[], []]);
      assert.deepEqual([unknown, Emitter.failures], [[], []]);
    } finally {
      await stage.end();
    }
  });
}

function offer(name, more = {}) {
  return {
    id: 'o1', device: 'laptop', type: 'public.text-editing', app: 'org.example.other', title: name, path: name,
    changedAt: 1, unsavedChanges: false, leftOpen: false, status: { arrival: 'current' }, ...more,
  };
}

module.exports = { scene, Stage, offer, escaped, extension };
