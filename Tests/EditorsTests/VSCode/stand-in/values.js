// SPDX-License-Identifier: MIT
// Places, names and the like, as the editor has them.
'use strict';

class Position {
  constructor(line, character) {
    if (!(line >= 0) || !(character >= 0)) throw new Error('illegal argument: a position is never negative');
    this.line = line;
    this.character = character;
  }
}

function isBefore(left, right) {
  return left.line < right.line || left.line === right.line && left.character < right.character;
}

class Range {
  constructor(...given) {
    const [left, right] = given.length === 4
      ? [new Position(given[0], given[1]), new Position(given[2], given[3])] : given;
    [this.start, this.end] = isBefore(right, left) ? [right, left] : [left, right];
  }

  get isEmpty() { return this.start.line === this.end.line && this.start.character === this.end.character; }
}

class Selection extends Range {
  constructor(anchor, active) {
    super(anchor, active);
    this.anchor = anchor;
    this.active = active;
  }
}

class Uri {
  constructor(scheme, authority, path) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
  }

  /** Two slashes begin the name of a host, as in the editor. */
  static file(path) {
    if (!path.startsWith('//')) return new Uri('file', '', path.startsWith('/') ? path : '/' + path);
    const end = path.indexOf('/', 2);
    return end < 0 ? new Uri('file', path.slice(2), '/') : new Uri('file', path.slice(2, end), path.slice(end));
  }

  toString() { return `${this.scheme}://${this.authority}${encodeURIComponent(this.path).replaceAll('%2F', '/')}`; }
}

class WorkspaceEdit {
  constructor() { this.edits = []; }

  replace(uri, range, text) { this.edits.push({ uri, range, text }); }
}

class TabInputText {
  constructor(uri) { this.uri = uri; }
}

class TabInputTextDiff {
  constructor(original, modified) {
    this.original = original;
    this.modified = modified;
  }
}

/** What happens, and who listens. */
class Emitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener) => {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    };
  }

  /** One that throws disturbs nobody else; the editor logs it, and tests look at that. */
  fire(event) {
    for (const listener of [...this.listeners]) {
      try {
        listener(event);
      } catch (failure) {
        Emitter.failures.push(failure);
      }
    }
  }
}
Emitter.failures = [];

module.exports = { Position, Range, Selection, Uri, WorkspaceEdit, TabInputText, TabInputTextDiff, Emitter, isBefore };
