// SPDX-License-Identifier: MIT
// An editor that shows a document: cursor, what is selected, what is visible, what is folded.
'use strict';

const { guard, rangeFace } = require('./guard');
const { Position, Range, Selection } = require('./values');

class TextEditor {
  constructor(workbench, document, group) {
    this.workbench = workbench;
    this.shown = document;
    this.group = group;
    this.own = new Selection(new Position(0, 0), new Position(0, 0));
    this.top = 0;
    this.height = 20;
    /** What is folded: the line that is shown, and the last that is not. */
    this.folds = [];
    this.face = guard('TextEditor', this);
  }

  get document() { return this.shown.face; }
  get viewColumn() { return this.group.viewColumn; }

  get selection() {
    const { anchor, active, start, end, isEmpty } = this.own;
    return guard('Selection', {
      anchor: guard('Position', anchor), active: guard('Position', active), start, end, isEmpty,
    });
  }

  /** By an extension: the cursor moves a moment later for everybody else. */
  set selection(given) {
    this.own = new Selection(this.shown.nearest(given.anchor), this.shown.nearest(given.active));
    this.workbench.soon(() => this.workbench.tellSelection(this));
  }

  /** By the person. */
  move(active, anchor = active) {
    this.own = new Selection(this.shown.nearest(anchor), this.shown.nearest(active));
    this.follow();
    this.workbench.tellSelection(this);
  }

  /** The cursor is always visible to who moves it. */
  follow() {
    const { line } = this.own.active;
    if (line < this.top) this.scroll(line);
    if (line > this.lastLine) this.scroll(Math.max(0, line - this.height + 1));
  }

  isHidden(line) { return this.folds.some(([first, last]) => line > first && line <= last); }

  get shownLines() {
    const found = [];
    for (let line = this.top; line < this.shown.lineCount && found.length < this.height; line++) {
      if (!this.isHidden(line)) found.push(line);
    }
    return found;
  }

  get lastLine() { return this.shownLines.at(-1) ?? this.top; }

  get visibleRanges() {
    const ranges = [];
    for (const line of this.shownLines) {
      const last = ranges.at(-1);
      if (last && last[1] === line - 1) last[1] = line;
      else ranges.push([line, line]);
    }
    return ranges.map(([first, last]) => {
      return rangeFace(new Range(new Position(first, 0), new Position(last, this.shown.lines[last].length)));
    });
  }

  scroll(top) {
    this.top = Math.max(0, Math.min(top, this.shown.lineCount - 1));
    this.workbench.didScroll.fire(guard('TextEditorVisibleRangesChangeEvent', { textEditor: this.face }));
  }

  revealRange(given, type) {
    const { line } = given.start;
    if (type === 3) this.scroll(line);
    else if (!this.shownLines.includes(line)) this.scroll(Math.max(0, line - Math.floor(this.height / 2)));
  }

  /** `editor.unfold` with `direction: 'up'`. */
  unfold(lines, levels) {
    for (const line of lines) {
      const around = this.folds.filter(([first, last]) => line >= first && line <= last)
        .sort((left, right) => right[0] - left[0]).slice(0, levels);
      this.folds = this.folds.filter((fold) => !around.includes(fold));
    }
  }

  /** The text changed: the cursor is where it still can be. */
  settle() {
    const active = this.shown.nearest(this.own.active);
    const anchor = this.shown.nearest(this.own.anchor);
    const isMoved = active.line !== this.own.active.line || active.character !== this.own.active.character;
    this.own = new Selection(anchor, active);
    this.top = Math.min(this.top, this.shown.lineCount - 1);
    if (isMoved) this.workbench.tellSelection(this);
  }
}

module.exports = { TextEditor };
