#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The extension in the stand-in on a terminal, for scripts in which editors hand over to each other: text, name and
// cursor (in scalars, from 1), the status bar, notifications and picks. `workbench.js [FILE]`. Keys: arrows, typing,
// ^O opens, ^T makes a text without a name, ^G goes to LINE:COLUMN, ^P runs a command by its title, ^N presses a
// notification's button, ^S saves, ^W closes, ^Q quits.
'use strict';

const nodePath = require('path');
const { StringDecoder } = require('string_decoder');
const { start } = require('./stand-in/module');
const { manifest } = require('./stand-in/surface');
const { Emitter, Position } = require('./stand-in/values');
const { Workbench } = require('./stand-in/workbench');

const workbench = new Workbench({ userSettings: JSON.parse(process.env.CONTINUO_VSCODE_SETTINGS ?? '{}') });
/** A line that is typed for a command of the workbench. */
let prompt;
let isEnding = false;

// MARK: Drawing

function clean(text) { return String(text).replace(/\t/g, '    ').replace(/[\0-\x1F\x7F-\x9F]/g, '�'); }

function column() {
  const { own, shown } = workbench.activeEditor;
  return Array.from(shown.lines[own.active.line].slice(0, own.active.character)).length + 1;
}

function place() {
  const editor = workbench.activeEditor;
  if (!editor) return 'no editor';
  const { shown } = editor;
  const marks = (shown.isDirty ? ' ●' : '') + (shown.isReadonly ? ' only for reading' : '');
  return `${clean(nodePath.basename(shown.path))}  Ln ${editor.own.active.line + 1}, Col ${column()}${marks}`;
}

function below() {
  const { pick } = workbench;
  const outputs = workbench.channels.filter((each) => each.isShown).flatMap((each) => each.lines.slice(0, 6));
  return [
    place() + (workbench.status.length ? '  ' + workbench.status.map(clean).join('  ') : ''),
    // The other side of a comparison.
    ...workbench.editors.filter((each) => each !== workbench.activeEditor)
      .map((each) => clean(nodePath.basename(each.shown.path) + ': ' + each.shown.lines[0])),
    ...(pick ? pick.labels.map((each) => '| ' + clean(each)) : []),
    ...(workbench.foreign ? [`${clean(nodePath.basename(workbench.foreign.path))} in another editor`] : []),
    ...workbench.waits.filter((each) => each.isThere).map((each) => clean(each.title + ': ' + each.message)),
    ...workbench.notifications.filter((each) => each.isThere).slice(-2)
      .map((each) => clean(each.text) + each.buttons.map((button) => ` [${button}]`).join('')),
    ...outputs.map(clean),
    ...workbench.dialogs.map((each) => 'DIALOG ' + clean(each)),
    ...Emitter.failures.map((each) => 'FAILED ' + clean(each.stack ?? each)),
    ...(pick ? [clean(pick.placeHolder)] : []),
    ...(prompt ? [`${prompt.title}: ${prompt.text}`] : []),
  ];
}

let isDrawing = false;
function draw() {
  if (isDrawing || isEnding) return;
  isDrawing = true;
  setImmediate(() => {
    isDrawing = false;
    const rows = process.stdout.rows || 14;
    const width = process.stdout.columns || 80;
    const lower = below().flatMap((line) => line.match(new RegExp(`.{1,${width - 1}}`, 'gu')) ?? ['']);
    const room = Math.max(2, rows - lower.length - 1);
    const editor = workbench.activeEditor;
    if (editor) editor.height = room;
    editor?.follow();
    const upper = (editor?.shownLines ?? []).map((line) => clean(editor.shown.lines[line]).slice(0, width - 1));
    const all = [...upper, ...Array(Math.max(0, room - upper.length)).fill(''), ...lower].slice(0, rows - 1);
    process.stdout.write('\x1b[?25l\x1b[H' + all.map((line) => line + '\x1b[K').join('\r\n') + '\x1b[J');
  });
}

// MARK: Commands

const titles = new Map([
  ...manifest.contributes.commands.map((each) => [`${each.category}: ${each.title}`, () => workbench.execute(each.command)]),
  ['File: Revert File', () => workbench.activeEditor?.shown.readAgain()],
]);

function goTo(text) {
  const [line, wanted] = text.split(':').map(Number);
  const editor = workbench.activeEditor;
  const before = Array.from(editor.shown.lines[line - 1]).slice(0, wanted - 1).join('');
  editor.move(new Position(line - 1, before.length));
}

const prompts = {
  '\x0F': { title: 'Open', act: (text) => workbench.open(text) },
  '\x07': { title: 'Go to line:column', act: goTo },
  '\x10': { title: 'Command', act: (text) => titles.get(text)?.() },
  '\x0E': { title: 'Press', act: (text) => workbench.notification(text)?.press(text) },
};

async function quit() {
  isEnding = true;
  await workbench.running.end();
  process.stdout.write('\x1b[H\x1b[J\x1b[?25h');
  process.exit(0);
}

const acts = {
  '\x14': () => workbench.openUntitled('Untitled-1'),
  '\x13': () => workbench.saveActive(),
  '\x17': () => { workbench.focus = 'editor'; workbench.closeTab(workbench.activeGroup.active); },
  '\x11': quit,
};

// MARK: Keys

function moveBy(lines, characters) {
  const { own, shown } = workbench.activeEditor;
  const { line, character } = own.active;
  if (lines !== 0) return workbench.activeEditor.move(new Position(Math.max(0, line + lines), character));
  const text = shown.lines[line];
  if (characters > 0 && character >= text.length) return moveTo(line + 1, 0);
  if (characters < 0 && character === 0) return line > 0 ? moveTo(line - 1, Infinity) : undefined;
  const isPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(characters > 0 ? character : character - 2));
  moveTo(line, character + characters * (isPair ? 2 : 1));
}

function moveTo(line, character) { workbench.activeEditor.move(new Position(line, character)); }

const arrows = {
  '\x1b[A': () => moveBy(-1, 0), '\x1b[B': () => moveBy(1, 0), '\x1b[C': () => moveBy(0, 1), '\x1b[D': () => moveBy(0, -1),
  '\x1b[H': () => moveTo(workbench.activeEditor.own.active.line, 0), '\x1b[1~': () => moveTo(workbench.activeEditor.own.active.line, 0),
  '\x1b[F': () => moveTo(workbench.activeEditor.own.active.line, Infinity),
  '\x1b[4~': () => moveTo(workbench.activeEditor.own.active.line, Infinity),
};

/** What is typed into a line: a pick is chosen by how its text begins. */
function takeInLine(key) {
  const line = prompt ?? { title: 'Choose', text: '', act: (text) => workbench.pick?.chooseLabel(text) };
  prompt = line;
  if (key === '\x7F') line.text = Array.from(line.text).slice(0, -1).join('');
  else if (key === '\x1b') {
    prompt = undefined;
    workbench.pick?.choose(undefined);
  } else if (key === '\r') {
    prompt = undefined;
    return line.act(line.text);
  } else if (key >= ' ') line.text += key;
  return undefined;
}

function take(key) {
  if (prompt || workbench.pick) return takeInLine(key);
  if (prompts[key]) {
    prompt = { ...prompts[key], text: '' };
    return undefined;
  }
  if (acts[key]) return acts[key]();
  if (!workbench.activeEditor) return undefined;
  workbench.focus = 'editor';
  if (arrows[key]) return arrows[key]();
  if (key === '\x7F') return workbench.erase();
  if (key === '\r') return workbench.type('\n');
  return key >= ' ' || key === '\t' ? workbench.type(key) : undefined;
}

const decoder = new StringDecoder('utf8');
let rest = '';

function hear(bytes) {
  rest += decoder.write(bytes).replaceAll('\x1bO', '\x1b[');
  for (;;) {
    const match = /^(?:\x1b\[[0-9;]*[A-Za-z~]|\x1b(?!\[)|[^\x1b])/u.exec(rest);
    if (!match) break;
    rest = rest.slice(match[0].length);
    try {
      Promise.resolve(take(match[0])).catch((failure) => { Emitter.failures.push(failure); }).finally(draw);
    } catch (failure) {
      Emitter.failures.push(failure);
    }
  }
  draw();
}

function main(words) {
  if (words[0] === '--version') {
    process.stdout.write(`stand-in for VS Code 1.105, node ${process.version}\n`);
    return;
  }
  process.on('uncaughtException', (failure) => { Emitter.failures.push(failure); draw(); });
  for (const each of Object.values(workbench)) if (each instanceof Emitter) each.event(draw);
  workbench.onChange = draw;
  workbench.running = start(workbench);
  if (words.length > 0) workbench.open(nodePath.resolve(words.at(-1)));
  if (process.stdin.isTTY) process.stdin.setRawMode(true);
  process.stdin.on('data', hear);
  process.stdout.on('resize', draw);
  draw();
}

main(process.argv.slice(2));
