// SPDX-License-Identifier: MIT
// Every member of the `vscode` module that the stand-in knows, and where it is described. What is not listed here
// throws when it is used.
'use strict';

const api = 'https://code.visualstudio.com/api/references/vscode-api#';
const builtIn = 'https://code.visualstudio.com/api/references/commands';
const keys = 'https://code.visualstudio.com/docs/reference/default-keybindings';
const release = 'https://code.visualstudio.com/updates/';
const fileSettings = 'https://code.visualstudio.com/docs/reference/default-settings';
const manifest = 'https://code.visualstudio.com/api/references/contribution-points#contributes.configuration';

const members = [
  'version',
  'env', 'env.appName', 'env.remoteName',
  'commands', 'commands.registerCommand', 'commands.executeCommand',
  'window', 'window.activeTextEditor', 'window.visibleTextEditors', 'window.state', 'window.tabGroups',
  'window.onDidChangeActiveTextEditor', 'window.onDidChangeVisibleTextEditors',
  'window.onDidChangeTextEditorSelection', 'window.onDidChangeTextEditorVisibleRanges', 'window.onDidChangeWindowState',
  'window.showTextDocument', 'window.showInformationMessage', 'window.showWarningMessage', 'window.showQuickPick',
  'window.createStatusBarItem', 'window.createOutputChannel', 'window.withProgress',
  'workspace', 'workspace.textDocuments', 'workspace.onDidChangeTextDocument', 'workspace.onDidSaveTextDocument',
  'workspace.onDidCloseTextDocument', 'workspace.onDidRenameFiles', 'workspace.onDidChangeConfiguration',
  'workspace.openTextDocument', 'workspace.applyEdit', 'workspace.getConfiguration', 'workspace.encode',
  'workspace.decode',
  'Event', 'Disposable', 'Disposable.dispose', 'ExtensionContext', 'ExtensionContext.subscriptions',
  'Uri', 'Uri.file', 'Uri.scheme', 'Uri.authority', 'Uri.path', 'Uri.toString',
  'TextDocument', 'TextDocument.uri', 'TextDocument.isUntitled', 'TextDocument.version', 'TextDocument.isDirty',
  'TextDocument.isClosed', 'TextDocument.lineCount', 'TextDocument.encoding', 'TextDocument.save',
  'TextDocument.getText', 'TextDocument.lineAt', 'TextLine', 'TextLine.text', 'TextLine.range',
  'Position', 'Position.line', 'Position.character', 'Range', 'Range.start', 'Range.end', 'Range.isEmpty',
  'Selection', 'Selection.anchor', 'Selection.active',
  'TextEditor', 'TextEditor.document', 'TextEditor.selection', 'TextEditor.visibleRanges', 'TextEditor.viewColumn',
  'TextEditor.revealRange', 'TextEditorRevealType', 'TextEditorRevealType.InCenter', 'TextEditorRevealType.AtTop',
  'ViewColumn', 'TextDocumentShowOptions', 'TextDocumentShowOptions.viewColumn',
  'TextDocumentShowOptions.preserveFocus', 'TextDocumentShowOptions.preview',
  'TextDocumentChangeEvent', 'TextDocumentChangeEvent.document', 'TextDocumentChangeEvent.contentChanges',
  'TextEditorSelectionChangeEvent', 'TextEditorSelectionChangeEvent.textEditor',
  'TextEditorVisibleRangesChangeEvent', 'TextEditorVisibleRangesChangeEvent.textEditor',
  'WindowState', 'WindowState.focused',
  'TabGroups', 'TabGroups.all', 'TabGroups.close', 'TabGroups.onDidChangeTabs', 'TabGroup', 'TabGroup.tabs',
  'TabGroup.viewColumn', 'Tab', 'Tab.group', 'Tab.input', 'TabChangeEvent', 'TabChangeEvent.closed',
  'TabInputText', 'TabInputText.uri', 'TabInputTextDiff', 'TabInputTextDiff.original', 'TabInputTextDiff.modified',
  'FileRenameEvent', 'FileRenameEvent.files',
  'ConfigurationChangeEvent', 'ConfigurationChangeEvent.affectsConfiguration',
  'WorkspaceConfiguration', 'WorkspaceConfiguration.get', 'WorkspaceEdit', 'WorkspaceEdit.replace',
  'StatusBarAlignment', 'StatusBarAlignment.Left', 'StatusBarItem', 'StatusBarItem.name', 'StatusBarItem.text',
  'StatusBarItem.tooltip', 'StatusBarItem.command', 'StatusBarItem.show', 'StatusBarItem.hide', 'StatusBarItem.dispose',
  'OutputChannel', 'OutputChannel.appendLine', 'OutputChannel.clear', 'OutputChannel.show', 'OutputChannel.dispose',
  'QuickPickItem', 'QuickPickItem.label', 'QuickPickOptions', 'QuickPickOptions.placeHolder',
  'ProgressLocation', 'ProgressLocation.Notification', 'ProgressOptions', 'ProgressOptions.location',
  'ProgressOptions.title', 'ProgressOptions.cancellable', 'Progress', 'Progress.report',
  'CancellationToken', 'CancellationToken.onCancellationRequested',
];

module.exports = {
  pages: new Map(members.map((name) => [name, api + name])),
  // Commands of the editor, by where they are described.
  commands: new Map([
    ['vscode.open', builtIn + '#commands'],
    ['vscode.diff', builtIn + '#commands'],
    ['editor.unfold', builtIn + '#commands'],
    ['workbench.action.files.revert', keys],
    ['workbench.files.action.compareWithSaved', keys],
    ['workbench.action.files.setActiveEditorReadonlyInSession', release + 'v1_79#_readonly-mode'],
    ['workbench.action.files.resetActiveEditorReadonlyInSession', release + 'v1_79#_readonly-mode'],
  ]),
  // Settings that are read, with what they are where nobody set them; the extension's own are in its manifest.
  settings: new Map([
    ['files.encoding', { page: fileSettings, standard: 'utf8' }],
    ['files.autoGuessEncoding', { page: fileSettings, standard: false }],
  ]),
  manifest,
};
