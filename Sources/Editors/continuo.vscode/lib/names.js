// SPDX-License-Identifier: MIT
// File names and `file:` URIs. Names are UTF-8 here: the editor opens no others.
'use strict';

const shown = require('./shown');

/**
 * @param {string} path
 */
function uri(path) {
  const escaped = Array.from(Buffer.from(path, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9\-._~/]/.test(character) ? character : '%' + byte.toString(16).toUpperCase().padStart(2, '0');
  });
  return 'file://' + escaped.join('');
}

/**
 * The bytes that an escaped path stands for.
 * @param {string} escaped
 */
function bytes(escaped) {
  /** @type {number[]} */
  const found = [];
  const given = Buffer.from(escaped, 'utf8');
  for (let index = 0; index < given.length; index++) {
    const hex = given[index] === 0x25 ? given.toString('latin1', index + 1, index + 3) : '';
    if (/^[0-9A-Fa-f]{2}$/.test(hex)) {
      found.push(parseInt(hex, 16));
      index += 2;
    } else {
      found.push(given[index]);
    }
  }
  return Buffer.from(found);
}

/**
 * Undefined for anything but a file of this machine with a name in UTF-8.
 * @param {unknown} given
 */
function path(given) {
  const match = typeof given === 'string' ? /^file:\/\/[^/]*(\/.*)$/s.exec(given) : null;
  if (!match) return undefined;
  const found = bytes(match[1]);
  const decoded = found.toString('utf8');
  if (found.includes(0) || !Buffer.from(decoded, 'utf8').equals(found)) return undefined;
  // Two would begin the name of a host.
  return decoded.replace(/^\/+/, '/');
}

/**
 * The last part, for people.
 * @param {string | undefined} given
 */
function short(given) {
  const match = given === undefined ? null : /([^/]+)\/*$/.exec(given);
  return match ? shown.text(match[1]) : 'a document';
}

/**
 * The last part of what a URI names, for people, also where no file of this machine can be meant.
 * @param {unknown} given
 */
function shortOf(given) {
  const last = typeof given === 'string' ? bytes(given.replace(/^.*\//s, '')).toString('utf8') : '';
  return last === '' ? 'a document' : shown.text(last);
}

module.exports = { uri, path, short, shortOf };
