// SPDX-License-Identifier: MIT
// The members of the `vscode` module that the extension uses, and no others. A test compares this with the stand-in's
// list, where each has its page of the API reference, and with what the code uses.

declare module 'vscode' {
  export const version: string;

  export namespace env {
    const appName: string;
    const remoteName: string | undefined;
  }

  export namespace commands {
    function registerCommand(command: string, callback: (...given: any[]) => any): Disposable;
    function executeCommand(command: string, ...given: any[]): Thenable<unknown>;
  }

  export namespace window {
    const activeTextEditor: TextEditor | undefined;
    const visibleTextEditors: readonly TextEditor[];
    const state: WindowState;
    const tabGroups: TabGroups;
    const onDidChangeActiveTextEditor: Event<TextEditor | undefined>;
    const onDidChangeVisibleTextEditors: Event<readonly TextEditor[]>;
    const onDidChangeTextEditorSelection: Event<TextEditorSelectionChangeEvent>;
    const onDidChangeTextEditorVisibleRanges: Event<TextEditorVisibleRangesChangeEvent>;
    const onDidChangeWindowState: Event<WindowState>;
    function showTextDocument(document: TextDocument, options?: TextDocumentShowOptions): Thenable<TextEditor>;
    function showInformationMessage(message: string, ...items: string[]): Thenable<string | undefined>;
    function showWarningMessage(message: string, ...items: string[]): Thenable<string | undefined>;
    function showQuickPick<T extends string | QuickPickItem>(
      items: readonly T[], options?: QuickPickOptions): Thenable<T | undefined>;
    function createStatusBarItem(id: string, alignment: StatusBarAlignment, priority?: number): StatusBarItem;
    function createOutputChannel(name: string): OutputChannel;
    function withProgress<R>(
      options: ProgressOptions,
      task: (progress: Progress<{ message?: string, increment?: number }>, token: CancellationToken) => Thenable<R>,
    ): Thenable<R>;
  }

  export namespace workspace {
    const textDocuments: readonly TextDocument[];
    const onDidChangeTextDocument: Event<TextDocumentChangeEvent>;
    const onDidSaveTextDocument: Event<TextDocument>;
    const onDidCloseTextDocument: Event<TextDocument>;
    const onDidRenameFiles: Event<FileRenameEvent>;
    const onDidChangeConfiguration: Event<ConfigurationChangeEvent>;
    function openTextDocument(uri: Uri): Thenable<TextDocument>;
    function applyEdit(edit: WorkspaceEdit): Thenable<boolean>;
    function getConfiguration(section: string, scope?: Uri): WorkspaceConfiguration;
    // Since 1.100.
    const encode: ((content: string, options: { readonly encoding: string }) => Thenable<Uint8Array>) | undefined;
    const decode: ((content: Uint8Array, options: { readonly encoding: string }) => Thenable<string>) | undefined;
  }

  export type Event<T> = (listener: (event: T) => any) => Disposable;

  export class Disposable {
    dispose(): any;
  }

  export interface ExtensionContext {
    readonly subscriptions: Disposable[];
  }

  export class Uri {
    private constructor();
    static file(path: string): Uri;
    readonly scheme: string;
    readonly authority: string;
    readonly path: string;
    toString(): string;
  }

  export interface TextDocument {
    readonly uri: Uri;
    readonly isUntitled: boolean;
    readonly version: number;
    readonly isDirty: boolean;
    readonly isClosed: boolean;
    readonly lineCount: number;
    // Since 1.100.
    readonly encoding: string | undefined;
    save(): Thenable<boolean>;
    getText(): string;
    lineAt(line: number): TextLine;
  }

  export interface TextLine {
    readonly text: string;
    readonly range: Range;
  }

  export class Position {
    constructor(line: number, character: number);
    readonly line: number;
    readonly character: number;
  }

  export class Range {
    constructor(start: Position, end: Position);
    constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number);
    readonly start: Position;
    readonly end: Position;
    readonly isEmpty: boolean;
  }

  export class Selection extends Range {
    constructor(anchor: Position, active: Position);
    readonly anchor: Position;
    readonly active: Position;
  }

  export interface TextEditor {
    readonly document: TextDocument;
    selection: Selection;
    readonly visibleRanges: readonly Range[];
    readonly viewColumn: ViewColumn | undefined;
    revealRange(range: Range, revealType?: TextEditorRevealType): void;
  }

  export enum TextEditorRevealType {
    InCenter = 1,
    AtTop = 3,
  }

  export type ViewColumn = number;

  export interface TextDocumentShowOptions {
    viewColumn?: ViewColumn;
    preserveFocus?: boolean;
    preview?: boolean;
  }

  export interface TextDocumentChangeEvent {
    readonly document: TextDocument;
    readonly contentChanges: readonly object[];
  }

  export interface TextEditorSelectionChangeEvent {
    readonly textEditor: TextEditor;
  }

  export interface TextEditorVisibleRangesChangeEvent {
    readonly textEditor: TextEditor;
  }

  export interface WindowState {
    readonly focused: boolean;
  }

  export interface TabGroups {
    readonly all: readonly TabGroup[];
    readonly onDidChangeTabs: Event<TabChangeEvent>;
    close(tabs: readonly Tab[], preserveFocus?: boolean): Thenable<boolean>;
  }

  export interface TabGroup {
    readonly tabs: readonly Tab[];
    readonly viewColumn: ViewColumn;
  }

  export interface Tab {
    readonly group: TabGroup;
    readonly input: unknown;
  }

  export interface TabChangeEvent {
    readonly closed: readonly Tab[];
  }

  export class TabInputText {
    constructor(uri: Uri);
    readonly uri: Uri;
  }

  export class TabInputTextDiff {
    constructor(original: Uri, modified: Uri);
    readonly original: Uri;
    readonly modified: Uri;
  }

  export interface FileRenameEvent {
    readonly files: readonly { readonly oldUri: Uri, readonly newUri: Uri }[];
  }

  export interface ConfigurationChangeEvent {
    affectsConfiguration(section: string): boolean;
  }

  export interface WorkspaceConfiguration {
    get<T>(section: string, standard: T): T;
  }

  export class WorkspaceEdit {
    replace(uri: Uri, range: Range, text: string): void;
  }

  export enum StatusBarAlignment {
    Left = 1,
  }

  export interface StatusBarItem {
    name: string | undefined;
    text: string;
    tooltip: string | undefined;
    command: string | undefined;
    show(): void;
    hide(): void;
    dispose(): void;
  }

  export interface OutputChannel {
    appendLine(value: string): void;
    clear(): void;
    show(preserveFocus?: boolean): void;
    dispose(): void;
  }

  export interface QuickPickItem {
    label: string;
  }

  export interface QuickPickOptions {
    placeHolder?: string;
  }

  export enum ProgressLocation {
    Notification = 15,
  }

  export interface ProgressOptions {
    location: ProgressLocation;
    title?: string;
    cancellable?: boolean;
  }

  export interface Progress<T> {
    report(value: T): void;
  }

  export interface CancellationToken {
    readonly onCancellationRequested: Event<any>;
  }
}

interface Thenable<T> extends PromiseLike<T> {}
