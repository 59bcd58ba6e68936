// SPDX-License-Identifier: MIT
// The stand-in's list, the declarations and what the extension uses are the same members; the types fit.
'use strict';

const assert = require('assert/strict');
const fs = require('fs');
const nodePath = require('path');
const { test } = require('node:test');
// Debian's package node-typescript.
const ts = require('/usr/share/nodejs/typescript');
const { scene, extension } = require('./harness');
const { pages, commands, settings } = require('./stand-in/members');
const { manifest, contributed } = require('./stand-in/surface');

const declarations = nodePath.join(__dirname, 'types/vscode.d.ts');
const project = ts.getParsedCommandLineOfConfigFile(nodePath.join(__dirname, 'types/tsconfig.json'), {}, {
  ...ts.sys, onUnRecoverableConfigFileDiagnostic: (found) => { throw new Error(String(found.messageText)); },
});
const program = ts.createProgram(project.fileNames, project.options);
const checker = program.getTypeChecker();
const own = program.getSourceFiles().filter((file) => file.fileName.startsWith(extension));

/** `Kind.member` of a declaration; nothing for constructors, parameters and the like. */
function nameOf(declaration) {
  if (declaration?.getSourceFile().fileName !== declarations || !declaration.name) return undefined;
  const parts = [];
  for (let node = declaration; node && !ts.isSourceFile(node); node = node.parent) {
    if (ts.isParameter(node) || ts.isTypeParameterDeclaration(node) || ts.isTypeLiteralNode(node)) return undefined;
    if (node.name && !ts.isStringLiteral(node.name)) parts.unshift(node.name.text);
  }
  return parts.join('.') || undefined;
}

function declared() {
  const found = new Set();
  const visit = (node) => {
    const name = nameOf(node);
    if (name) found.add(name);
    ts.forEachChild(node, visit);
  };
  visit(program.getSourceFile(declarations));
  found.delete('Thenable');
  return found;
}

function used() {
  const found = new Set();
  const add = (symbol) => {
    for (const each of symbol?.declarations ?? []) {
      const name = nameOf(each);
      if (name) found.add(name);
    }
  };
  const visit = (node) => {
    if (ts.isIdentifier(node)) add(checker.getSymbolAtLocation(node));
    // What is taken apart, or handed over as options.
    if (ts.isBindingElement(node)) {
      add(checker.getTypeAtLocation(node.parent).getProperty((node.propertyName ?? node.name).getText()));
    }
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
      const type = checker.getContextualType(node.parent);
      add(type && checker.getNonNullableType(type).getProperty(node.name.getText()));
    }
    ts.forEachChild(node, visit);
    for (const comment of node.jsDoc ?? []) visit(comment);
  };
  own.forEach(visit);
  return found;
}

test('Each member that is listed has its page, is declared, and is used; and none beside', () => {
  assert.ok(own.length > 15);
  for (const [name, page] of pages) assert.equal(page, 'https://code.visualstudio.com/api/references/vscode-api#' + name);
  assert.deepEqual([...declared()].sort(), [...pages.keys()].sort());
  // What has no name in the code: types that others stand for, what the editor alone makes.
  const silent = new Set(['Event', 'Disposable', 'Disposable.dispose', 'ViewColumn', 'TextDocumentShowOptions',
    'TextDocumentChangeEvent', 'TextEditorSelectionChangeEvent', 'TextEditorVisibleRangesChangeEvent', 'WindowState',
    'TabGroups', 'TabGroup', 'Tab', 'TabChangeEvent', 'FileRenameEvent', 'ConfigurationChangeEvent',
    'WorkspaceConfiguration', 'QuickPickItem', 'QuickPickItem.label', 'QuickPickOptions', 'ProgressOptions', 'CancellationToken', 'TextLine']);
  const found = used();
  assert.deepEqual([...pages.keys()].filter((name) => !found.has(name) && !silent.has(name)), []);
});

test('The types fit, checked strictly', () => {
  const wrong = ts.getPreEmitDiagnostics(program).map((each) =>
    `${each.file?.fileName}: ${ts.flattenDiagnosticMessageText(each.messageText, ' ')}`);
  assert.deepEqual(wrong, []);
});

test('Commands and settings that the code names are listed or contributed, and none beside', () => {
  const text = own.map((file) => file.text).join('\n');
  const named = new Set(text.match(/'(?:vscode|editor|workbench|continuo)\.[A-Za-z.]+'/g).map((each) => each.slice(1, -1)));
  for (const name of commands.keys()) {
    assert.ok(named.has(name) || text.includes(name.split('.').at(-1)), name);
  }
  for (const name of named) {
    const isOurs = contributed.has(name) || ['continuo.offers', 'continuo.others'].includes(name);
    assert.ok(isOurs || [...commands.keys()].some((each) => each.startsWith(name)), name);
  }
  for (const name of contributed) assert.ok(named.has(name), name);
  for (const name of [...Object.keys(manifest.contributes.configuration.properties), ...settings.keys()]) {
    assert.ok(text.includes(`'${name.split('.')[1]}'`), name);
  }
});

test('Files are short and begin with the licence; nothing but the editor and Node is needed', () => {
  for (const file of own) {
    const lines = file.text.split('\n');
    assert.equal(lines[0], '// SPDX-License-Identifier: MIT', file.fileName);
    assert.ok(lines.length <= 400, file.fileName);
    for (const line of lines) assert.ok(line.length <= 120, `${file.fileName}: ${line}`);
    for (const [, name] of file.text.matchAll(/require\('([^.'][^']*)'\)/g)) {
      assert.ok(['vscode', 'fs', 'path', 'child_process'].includes(name), name);
    }
  }
  assert.equal(manifest.dependencies, undefined);
});

test('The manifest keeps a workspace from setting a program, and says what each kind of workspace means', () => {
  const { properties } = manifest.contributes.configuration;
  assert.deepEqual([properties['continuo.command'].scope, properties['continuo.app'].scope], ['machine', 'machine']);
  assert.deepEqual(manifest.extensionKind, ['workspace']);
  for (const kind of ['untrustedWorkspaces', 'virtualWorkspaces']) assert.ok(manifest.capabilities[kind].description);
  const readme = fs.readFileSync(extension + '/README.md', 'utf8');
  for (const words of ['not been run in the real editor', 'Flatpak', 'Snap', 'Remote-SSH', 'WSL', 'container', 'VSCodium',
    'Cursor', 'code-server', ...Object.keys(properties)]) assert.ok(readme.includes(words), words);
});

scene('17 A workspace sets no program', async (t) => {
  assert.deepEqual(t.servers[0].words, ['continuo', 'serve', '--stdio']);
}, { workspaceSettings: { 'continuo.command': ['touch', 'pwned'] } });

scene('18, 16 A program that is not there is told once, and health says what to do', async (t, w) => {
  await t.eventually('a sentence', () => w.told.length === 1);
  assert.match(w.told[0], /no-such-program is not installed, or not on PATH/);
  await w.execute('continuo.health');
  const lines = await t.eventually('the report', () => w.channels[0]?.lines.length > 0 && w.channels[0].lines);
  assert.ok(lines.includes('WRONG: no-such-program is not on PATH: install Continuo, or say where it is in continuo.command'));
  assert.equal(w.focus, 'editor');
}, { userSettings: { 'continuo.command': ['no-such-program'] }, isAlone: true });

scene('17 A setting that is no command is told, and nothing is started', async (t, w) => {
  await t.eventually('a sentence', () => w.told.length === 1);
  assert.match(w.told[0], /is no list of a program and its arguments/);
  assert.equal(t.servers.length, 0);
}, { userSettings: { 'continuo.command': 'rm -rf' }, isAlone: true });

scene('21 An editor that is too old gets a sentence', async (t, w) => {
  assert.match(w.told[0], /older than VS Code 1\.82/);
  assert.equal(t.servers.length, 0);
}, { version: '1.70.2', isAlone: true });

scene('18, 21 Health names a Flatpak or Snap edition, another machine, and files of other kinds', async (t, w) => {
  Object.assign(process.env, { FLATPAK_ID: 'com.visualstudio.code', SNAP: '/snap/code/1' });
  try {
    w.openUntitled('/Untitled-1');
    await w.execute('continuo.health');
    const lines = await t.eventually('the report', () => w.channels[0]?.lines.length > 0 && w.channels[0].lines.join('\n'));
    for (const words of ['flatpak-spawn', 'Snap edition', 'another machine (ssh-remote)', '"untitled:"', 'connected to the agent']) {
      assert.ok(lines.includes(words), words + ' in ' + lines);
    }
  } finally {
    delete process.env.FLATPAK_ID;
    delete process.env.SNAP;
  }
}, { remoteName: 'ssh-remote' });
