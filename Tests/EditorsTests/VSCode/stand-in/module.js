// SPDX-License-Identifier: MIT
// The `vscode` module, as the extension gets it, over a workbench; and starting the extension in it.
'use strict';

const nodeModule = require('module');
const nodePath = require('path');
const { guard, guardClass, options, real } = require('./guard');
const { commands } = require('./members');
const values = require('./values');
const { decode, encode } = require('./text-document');

const folder = nodePath.join(__dirname, '../../../../Sources/Editors/continuo.vscode');

/** The editor's own commands. */
function builtIn(workbench, name, given) {
  const { activeEditor } = workbench;
  switch (name) {
    case 'vscode.open': {
      workbench.foreign = { path: given[0].path, line: given[1]?.selection?.start.line };
      workbench.onChange();
      return undefined;
    }
    case 'vscode.diff': return workbench.showDifference(real(given[0]), real(given[1])) && undefined;
    case 'editor.unfold': return activeEditor?.unfold(given[0].selectionLines, given[0].levels);
    case 'workbench.action.files.revert': return activeEditor?.shown.readAgain();
    case 'workbench.files.action.compareWithSaved': return undefined;
    case 'workbench.action.files.setActiveEditorReadonlyInSession':
    case 'workbench.action.files.resetActiveEditorReadonlyInSession':
      if (workbench.isOld) throw new Error(`command '${name}' not found`);
      activeEditor.shown.isReadonly = name.includes('.set');
      return undefined;
    default: throw new Error(`command '${name}' not found`);
  }
}

function windowOf(workbench) {
  return guard('window', {
    get activeTextEditor() { return workbench.activeEditor?.face; },
    get visibleTextEditors() { return workbench.editors.map((editor) => editor.face); },
    get state() { return guard('WindowState', { focused: workbench.isFocused }); },
    tabGroups: guard('TabGroups', {
      get all() { return workbench.groups.map((group) => group.face); },
      onDidChangeTabs: workbench.didChangeTabs.event,
      async close(tabs) {
        await workbench.turn();
        const isEach = tabs.map((face) => workbench.closeTab(workbench.tabs.find((tab) => tab.face === face)));
        return isEach.every((isClosed) => isClosed);
      },
    }),
    onDidChangeActiveTextEditor: workbench.didChangeActive.event,
    onDidChangeVisibleTextEditors: workbench.didChangeVisible.event,
    onDidChangeTextEditorSelection: workbench.didSelect.event,
    onDidChangeTextEditorVisibleRanges: workbench.didScroll.event,
    onDidChangeWindowState: workbench.didFocus.event,
    async showTextDocument(document, given) {
      const { viewColumn, preserveFocus } = options('TextDocumentShowOptions', given);
      await workbench.turn();
      return workbench.show(real(document), { viewColumn, preserveFocus }).face;
    },
    showInformationMessage: (...words) => workbench.notify('info', ...words),
    showWarningMessage: (...words) => workbench.notify('warning', ...words),
    showQuickPick: (items, given) => workbench.quickPick(items, given),
    createStatusBarItem: () => workbench.statusItem(),
    createOutputChannel: (name) => workbench.channel(name),
    withProgress: (given, task) => workbench.progress(given, task),
  });
}

function workspaceOf(workbench) {
  const coded = workbench.tellsEncoding;
  return guard('workspace', {
    get textDocuments() { return [...workbench.documents.values()].map((document) => document.face); },
    onDidChangeTextDocument: workbench.didChangeText.event,
    onDidSaveTextDocument: workbench.didSave.event,
    onDidCloseTextDocument: workbench.didClose.event,
    onDidRenameFiles: workbench.didRename.event,
    onDidChangeConfiguration: workbench.didConfigure.event,
    async openTextDocument(uri) {
      await workbench.turn();
      const document = workbench.document(real(uri));
      // What an extension opens stays for a while.
      document.isHeld = true;
      return document.face;
    },
    async applyEdit(given) {
      await workbench.turn();
      for (const { uri, range, text } of real(given).edits) {
        workbench.documents.get(uri.toString()).replace(range.start, range.end, text);
      }
      return true;
    },
    getConfiguration: (section) => workbench.configuration(section),
    encode: coded ? async (content, { encoding }) => encode(content, encoding) : undefined,
    decode: coded ? async (content, { encoding }) => decode(Buffer.from(content), encoding) : undefined,
  });
}

function moduleOf(workbench, { version = '1.105.1', remoteName } = {}) {
  const { Position, Range, Selection, Uri, WorkspaceEdit, TabInputText, TabInputTextDiff } = values;
  const classes = Object.fromEntries(
    Object.entries({ Position, Range, Selection, Uri, WorkspaceEdit, TabInputText, TabInputTextDiff })
      .map(([name, type]) => [name, guardClass(name, type)]));
  return guard('', {
    version, ...classes, window: windowOf(workbench), workspace: workspaceOf(workbench),
    env: guard('env', { appName: 'Stand-in', remoteName }),
    commands: guard('commands', {
      registerCommand: (name, run) => workbench.register(name, run),
      executeCommand: async (name, ...given) => {
        workbench.executed.push(name);
        if (workbench.registered.has(name)) return workbench.execute(name, ...given);
        if (!commands.has(name)) throw new Error('the stand-in knows no command ' + name);
        await workbench.turn();
        return builtIn(workbench, name, given);
      },
    }),
    TextEditorRevealType: guard('TextEditorRevealType', { InCenter: 1, AtTop: 3 }),
    StatusBarAlignment: guard('StatusBarAlignment', { Left: 1 }),
    ProgressLocation: guard('ProgressLocation', { Notification: 15 }),
  });
}

/** Loads the extension anew, in this workbench, and starts it. `ended()` has it end as the editor would. */
function start(workbench, given) {
  for (const path of Object.keys(require.cache)) if (path.startsWith(folder)) delete require.cache[path];
  const face = moduleOf(workbench, given);
  const load = nodeModule._load;
  nodeModule._load = (name, ...rest) => (name === 'vscode' ? face : load(name, ...rest));
  let extension;
  try {
    extension = require(folder);
  } finally {
    nodeModule._load = load;
  }
  const context = { subscriptions: [] };
  extension.activate(guard('ExtensionContext', context));
  return {
    async end() {
      await extension.deactivate();
      for (const each of context.subscriptions) each.dispose();
      workbench.end();
    },
  };
}

module.exports = { start, folder };
