// SPDX-License-Identifier: MIT
// A document of the editor, with a real file: read, edited, saved, and read again as the editor does.
'use strict';

const fs = require('fs');
const { guard, rangeFace } = require('./guard');
const { Position, Range } = require('./values');

const limit = 50 * 1024 * 1024;

function stat(path) {
  try {
    const found = fs.statSync(path);
    return found.isFile() ? { size: found.size, mtime: found.mtimeMs, ino: found.ino } : undefined;
  } catch {
    return undefined;
  }
}

/** The editor knows a file by its time, in milliseconds, and its size. */
function isSame(left, right) { return left?.size === right?.size && left?.mtime === right?.mtime; }

const decoders = { utf8: 'utf8', utf8bom: 'utf8', iso88591: 'latin1', utf16le: 'utf16le' };

function decode(bytes, encoding) { return bytes.toString(decoders[encoding]).replace(/^\uFEFF/, ''); }

/** What the encoding has not becomes a question mark. */
function encode(text, encoding) {
  const has = encoding === 'iso88591' ? text.replace(/[\u{100}-\u{10FFFF}]/gu, '?') : text;
  const mark = encoding === 'utf8bom' ? '\uFEFF' : '';
  return Buffer.from(mark + has, decoders[encoding]);
}

class TextDocument {
  /** Reads the file; throws what the editor says where it opens none. */
  constructor(workbench, uri) {
    this.workbench = workbench;
    this.uri = guard('Uri', uri);
    this.version = 1;
    this.isClosed = this.isDirty = this.isUntitled = this.isReadonly = false;
    this.undone = [];
    if (uri.scheme === 'untitled') {
      this.isUntitled = true;
      this.take('', '\n', 'utf8');
    } else {
      this.read();
    }
    this.face = guard('TextDocument', this);
  }

  get path() { return this.uri.path; }
  get lineCount() { return this.lines.length; }
  get encoding() { return this.workbench.tellsEncoding ? this.actualEncoding : undefined; }

  read() {
    const found = stat(this.path);
    if (!found) throw new Error(`cannot open ${this.uri}. Detail: Unable to read file '${this.path}'`);
    if (found.size > limit) throw new Error('Files above 50MB cannot be synchronized with extensions.');
    const bytes = fs.readFileSync(this.path);
    const encoding = this.workbench.encodingOf(this.path, bytes);
    if (encoding !== 'utf16le' && bytes.subarray(0, 512).includes(0)) {
      throw new Error(`cannot open ${this.uri}. Detail: File seems to be binary and cannot be opened as text`);
    }
    const text = decode(bytes, encoding);
    const ends = text.match(/\r\n|\r|\n/g) ?? [];
    this.take(text, ends.filter((end) => end !== '\n').length > ends.length / 2 ? '\r\n' : '\n', encoding);
    this.onDisk = found;
  }

  /** Lines end in one way, whatever the file had. */
  take(text, eol, encoding) {
    this.lines = text.split(/\r\n|\r|\n/);
    this.eol = eol;
    this.actualEncoding = encoding;
    this.savedText = this.getText();
  }

  getText() { return this.lines.join(this.eol); }

  lineAt(line) {
    if (!(line >= 0 && line < this.lines.length)) throw new Error('Illegal value for `line`');
    const text = this.lines[line];
    const range = new Range(new Position(line, 0), new Position(line, text.length));
    return guard('TextLine', { text, range: rangeFace(range) });
  }

  /** Where `position` is once it exists, not within a pair of units. */
  nearest(position) {
    const line = Math.min(position.line, this.lines.length - 1);
    const text = this.lines[line];
    const character = position.line > line ? text.length : Math.min(position.character, text.length);
    const isInside = /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(Math.max(character - 1, 0), character + 1));
    return new Position(line, isInside ? character - 1 : character);
  }

  /** Replaces what is between two positions; gives where the new text ends. */
  replace(start, end, text) {
    const given = text.split(/\r\n|\r|\n/);
    const before = this.lines[start.line].slice(0, start.character);
    const after = this.lines[end.line].slice(end.character);
    const last = given.length - 1;
    const stop = new Position(start.line + last, (last === 0 ? before.length : 0) + given[last].length);
    given[0] = before + given[0];
    given[last] += after;
    this.lines.splice(start.line, end.line - start.line + 1, ...given);
    this.version += 1;
    this.isDirty = this.isUntitled || this.getText() !== this.savedText;
    this.workbench.tellChange(this);
    return stop;
  }

  setText(text) {
    this.lines = text.split(/\r\n|\r|\n/);
    this.version += 1;
    this.isDirty = this.getText() !== this.savedText;
    this.workbench.tellChange(this);
  }

  /** The editor reads an unmodified file again when it changed, and keeps the text of one that is gone. */
  reload() {
    if (this.isClosed || this.isDirty || this.isUntitled) return;
    const found = stat(this.path);
    if (!found || isSame(found, this.onDisk)) return;
    this.readAgain();
  }

  readAgain() {
    const before = this.getText();
    const wasDirty = this.isDirty;
    try {
      this.read();
    } catch {
      // The file is gone: the text stays, and counts as unmodified.
    }
    this.isDirty = false;
    if (this.getText() !== before) {
      this.version += 1;
      this.workbench.tellChange(this);
    } else if (wasDirty) {
      this.workbench.tellChange(this, []);
    }
  }

  /** `document.save()`. */
  async save() {
    this.workbench.saves.push(this.path);
    if (this.isUntitled) {
      this.workbench.dialogs.push('Save As');
      return false;
    }
    if (this.isReadonly || this.workbench.isReadonly(this.path)) return false;
    await this.workbench.turn();
    for (const participate of this.workbench.saveParticipants) {
      const changed = await participate(this);
      if (typeof changed === 'string' && changed !== this.getText()) this.setText(changed);
    }
    const found = stat(this.path);
    if (found && !isSame(found, this.onDisk) && this.workbench.value('files.saveConflictResolution') === 'askUser') {
      this.workbench.dialogs.push('The content of the file is newer');
      return false;
    }
    fs.writeFileSync(this.path, encode(this.getText(), this.actualEncoding));
    this.onDisk = stat(this.path);
    this.savedText = this.getText();
    this.isDirty = false;
    await this.workbench.turn();
    this.workbench.tellChange(this, []);
    this.workbench.didSave.fire(this.face);
    return true;
  }
}

module.exports = { TextDocument, decode, encode, decoders };
