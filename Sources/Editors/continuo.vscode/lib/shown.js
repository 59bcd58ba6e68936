// SPDX-License-Identifier: MIT
// What is shown of names, titles and sentences from elsewhere: one line of well-formed text. Nothing in it turns the
// order of the characters around, is there without being seen, or becomes an icon or a link of the workbench.
'use strict';

// Longer than any title that travels; a name with a thousand accents fills no screen.
const limit = 4096;

const blanks = /[\t-\r\u0085\u2028\u2029]/gu;
const unknown = /[\0-\x08\x0E-\x1F\x7F-\x9F]|\p{Cs}/gu;
// Scalars that are seen by nobody or that move others.
const hidden = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/**
 * For people. Doing it twice changes nothing more.
 * @param {unknown} given
 */
function text(given) {
  const found = String(given).replace(blanks, ' ').replace(unknown, '\uFFFD').replace(hidden, '');
  // Not half a pair.
  return found.length > limit ? found.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '') : found;
}

// What the workbench takes for an icon in status bar items, quick picks and progress there.
const icon = /\$\([a-z0-9-]+(?:~[a-z]+)?\)/gi;

/**
 * For a place where the workbench reads `$(name)` as an icon.
 * @param {unknown} given
 */
function label(given) { return text(given).replace(icon, '\\$&'); }

/**
 * For a notification, where the workbench reads `[text](command:…)` as a link that runs a command.
 * @param {unknown} given
 */
function sentence(given) { return text(given).replaceAll('](', '] ('); }

// Members of the server's messages that are shown; the others are names of things.
const members = new Set(['title', 'device', 'reason', 'message', 'remark', 'folder', 'type']);

/**
 * The same message, with all that is shown of it as it may be shown.
 * @param {any} given
 * @returns {any}
 */
function message(given) {
  if (Array.isArray(given)) return given.map(message);
  if (given === null || typeof given !== 'object') return given;
  return Object.fromEntries(Object.entries(given).map(([key, value]) =>
    [key, typeof value === 'string' && members.has(key) ? text(value) : message(value)]));
}

module.exports = { text, label, sentence, message };
