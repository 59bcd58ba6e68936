// SPDX-License-Identifier: MIT
// The workbench: documents, groups of tabs, and what the person does with them. What the extension sees of it is put
// together in `module.js`.
'use strict';

const fs = require('fs');
const nodePath = require('path');
const { guard } = require('./guard');
const { Emitter, Position, Selection, TabInputText, TabInputTextDiff, Uri, isBefore } = require('./values');
const { Surface } = require('./surface');
const { TextDocument } = require('./text-document');
const { TextEditor } = require('./text-editor');

class Workbench extends Surface {
  constructor(options = {}) {
    super(options);
    this.tellsEncoding = options.tellsEncoding ?? true;
    this.documents = new Map();
    this.groups = [];
    this.activeGroup = undefined;
    this.isFocused = true;
    this.saves = [];
    this.saveParticipants = [];
    this.readonlyPaths = new Set();
    this.encodings = new Map();
    this.watchers = new Map();
    this.watchesFiles = true;
    for (const name of ['didChangeActive', 'didChangeVisible', 'didSelect', 'didScroll', 'didFocus', 'didChangeTabs',
      'didChangeText', 'didSave', 'didClose', 'didRename']) this[name] = new Emitter();
  }

  // MARK: Time

  /** What the window tells the extensions arrives a moment later. */
  soon(body) { setImmediate(() => { if (!this.isEnded) body(); }); }
  turn() { return new Promise((resolve) => { setImmediate(resolve); }); }

  // MARK: Files

  encodingOf(path, bytes) {
    if (bytes.subarray(0, 3).toString('latin1') === '\xEF\xBB\xBF') return 'utf8bom';
    if (bytes.subarray(0, 2).toString('latin1') === '\xFF\xFE') return 'utf16le';
    return this.encodings.get(path) ?? this.value('files.encoding');
  }

  isReadonly(path) { return this.readonlyPaths.has(path); }

  /** The editor looks at a folder a moment after something happened in it. */
  watch(path) {
    const folder = nodePath.dirname(path);
    if (this.watchers.has(folder)) return;
    let timer;
    const watcher = fs.watch(folder, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!this.watchesFiles || this.isEnded) return;
        for (const document of this.documents.values()) document.reload();
      }, 30);
    });
    watcher.on('error', () => {});
    this.watchers.set(folder, watcher);
  }

  // MARK: Documents

  document(uri) {
    const key = uri.toString();
    const known = this.documents.get(key);
    if (known) return known;
    const fresh = new TextDocument(this, uri);
    this.documents.set(key, fresh);
    if (uri.scheme === 'file') this.watch(fresh.path);
    return fresh;
  }

  /** Where nothing of the text changed, it tells that there is, or is not, something unsaved. */
  tellChange(document, contentChanges = [{}]) {
    for (const editor of this.editors) if (editor.shown === document) editor.settle();
    this.didChangeText.fire(guard('TextDocumentChangeEvent', { document: document.face, contentChanges }));
  }

  tellSelection(editor) {
    this.didSelect.fire(guard('TextEditorSelectionChangeEvent', { textEditor: editor.face }));
  }

  /** Documents that no tab shows go. */
  sweep() {
    for (const [key, document] of [...this.documents]) {
      if (this.tabs.some((tab) => tab.documents.includes(document)) || document.isHeld) continue;
      this.documents.delete(key);
      document.isClosed = true;
      this.didClose.fire(document.face);
    }
  }

  // MARK: Tabs

  get tabs() { return this.groups.flatMap((group) => group.tabs); }
  get editors() { return this.groups.flatMap((group) => group.active?.editors ?? []); }
  get activeEditor() { return this.activeGroup?.active?.editors.at(-1); }

  group(column) {
    const known = this.groups.find((group) => group.viewColumn === column) ?? (column ? undefined : this.activeGroup);
    if (known) return known;
    const fresh = { viewColumn: this.groups.length + 1, tabs: [], active: undefined };
    fresh.face = guard('TabGroup', {
      viewColumn: fresh.viewColumn, get tabs() { return fresh.tabs.map((tab) => tab.face); },
    });
    this.groups.push(fresh);
    return fresh;
  }

  addTab(group, documents) {
    const uris = documents.map((document) => document.uri);
    const input = uris.length === 1 ? guard('TabInputText', new TabInputText(...uris))
      : guard('TabInputTextDiff', new TabInputTextDiff(...uris));
    const tab = { group, documents, editors: documents.map((each) => new TextEditor(this, each, group)) };
    tab.face = guard('Tab', { input, group: group.face });
    group.tabs.push(tab);
    return tab;
  }

  /** An editor that comes to front reads its file again. */
  bringToFront(group, tab, takesFocus = true) {
    const wasActive = this.activeEditor;
    const wasShown = this.editors;
    group.active = tab;
    if (takesFocus || !this.activeGroup) this.activeGroup = group;
    if (takesFocus) this.focus = 'editor';
    for (const document of tab.documents) if (!wasShown.some((each) => each.shown === document)) document.reload();
    this.didChangeVisible.fire(this.editors.map((editor) => editor.face));
    if (this.activeEditor !== wasActive) this.didChangeActive.fire(this.activeEditor?.face);
    return tab.editors.at(-1);
  }

  show(document, { viewColumn, preserveFocus = false } = {}) {
    const group = this.group(viewColumn);
    const tab = group.tabs.find((each) => each.documents.length === 1 && each.documents[0] === document)
      ?? this.addTab(group, [document]);
    return this.bringToFront(group, tab, !preserveFocus);
  }

  showDifference(left, right) {
    const group = this.group();
    return this.bringToFront(group, this.addTab(group, [this.document(left), this.document(right)]));
  }

  /** One with unsaved text would ask, unless another tab shows that, too. */
  closeTab(tab) {
    const isShownElsewhere = (document) => this.tabs.some((each) => each !== tab && each.documents.includes(document));
    if (tab.documents.some((document) => document.isDirty && !isShownElsewhere(document))) {
      this.dialogs.push('Do you want to save the changes you made');
      return false;
    }
    const { group } = tab;
    const wasActive = this.activeEditor;
    group.tabs = group.tabs.filter((each) => each !== tab);
    if (group.active === tab) group.active = group.tabs.at(-1);
    this.didChangeTabs.fire(guard('TabChangeEvent', { closed: [tab.face] }));
    this.didChangeVisible.fire(this.editors.map((editor) => editor.face));
    if (this.activeEditor !== wasActive) this.didChangeActive.fire(this.activeEditor?.face);
    this.sweep();
    return true;
  }

  // MARK: The person

  open(path, viewColumn) {
    return this.show(this.document(Uri.file(path)), { viewColumn });
  }

  openUntitled(path) { return this.show(this.document(new Uri('untitled', '', path))); }

  /** Text that was not saved when the editor ended: it is there again, over whatever the file holds. */
  openBackup(path, text) {
    const document = this.document(Uri.file(path));
    document.lines = text.split('\n');
    document.isDirty = true;
    return this.show(document);
  }

  type(text) {
    const editor = this.activeEditor;
    if (!editor || this.focus !== 'editor' || editor.shown.isReadonly) return false;
    const { start, end } = editor.own;
    const stop = editor.shown.replace(start, end, text);
    editor.move(stop);
    return true;
  }

  erase() {
    const editor = this.activeEditor;
    const { active, isEmpty } = editor.own;
    if (isEmpty && active.line === 0 && active.character === 0) return;
    if (isEmpty) editor.own = new Selection(this.before(editor, active), active);
    this.type('');
  }

  before(editor, position) {
    if (position.character > 0) return editor.shown.nearest(new Position(position.line, position.character - 1));
    return new Position(position.line - 1, editor.shown.lines[position.line - 1].length);
  }

  /** Takes back all that was typed since the file was saved. */
  undoAll() {
    const { shown } = this.activeEditor;
    shown.setText(shown.savedText);
  }

  async saveActive() { return this.activeEditor.shown.save(); }

  select(anchor, active) { this.activeEditor.move(active, anchor); }

  /** In the explorer: the file gets another name, and what shows it goes along. */
  rename(from, to) {
    const document = this.documents.get(Uri.file(from).toString());
    fs.renameSync(from, to);
    if (document) {
      this.documents.delete(document.uri.toString());
      const next = this.document(Uri.file(to));
      if (document.isDirty) next.setText(document.getText());
      for (const tab of this.tabs.filter((each) => each.documents.includes(document))) {
        const { group } = tab;
        const { own } = tab.editors[0];
        group.tabs = group.tabs.filter((each) => each !== tab);
        const fresh = this.addTab(group, [next]);
        fresh.editors[0].own = own;
        if (group.active === tab) this.bringToFront(group, fresh);
      }
      document.isClosed = true;
      this.didClose.fire(document.face);
    }
    const files = [{ oldUri: guard('Uri', Uri.file(from)), newUri: guard('Uri', Uri.file(to)) }];
    this.didRename.fire(guard('FileRenameEvent', { files }));
  }

  setFocused(isFocused) {
    this.isFocused = isFocused;
    this.didFocus.fire(guard('WindowState', { focused: isFocused }));
  }

  end() {
    this.isEnded = true;
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }
}

module.exports = { Workbench, isBefore };
