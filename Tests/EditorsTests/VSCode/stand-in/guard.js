// SPDX-License-Identifier: MIT
// What the extension sees of an object: the members that are listed. Any other throws.
'use strict';

const { pages } = require('./members');

class UnknownMember extends Error {}

/** What was asked for and is not listed; looked at by the tests, too, as the extension may have caught it. */
const unknown = [];

// What the language itself asks of any object.
const tolerated = new Set(['then', 'toJSON', 'constructor', 'inspect', 'nodeType', 'asymmetricMatch', '$$typeof']);
const faces = new WeakMap();
const behind = new WeakMap();
const behindClasses = new WeakSet();

function refuse(kind, key) {
  const name = kind === '' ? key : kind + '.' + key;
  unknown.push(name);
  throw new UnknownMember(`the stand-in knows no ${name}`);
}

/** What a selection has as a range is listed there. */
function isListed(kind, key) {
  return pages.has(kind === '' ? key : kind + '.' + key) || kind === 'Selection' && pages.has('Range.' + key);
}

/** The face of `object`, which is called `kind` in the reference; '' for the module itself. */
function guard(kind, object) {
  const known = faces.get(object);
  if (known) return known;
  const face = new Proxy(object, {
    get(target, key) {
      if (typeof key === 'symbol' || tolerated.has(key) && !isListed(kind, key)) return undefined;
      if (!isListed(kind, key)) return refuse(kind, key);
      const value = target[key];
      return typeof value === 'function' && !behindClasses.has(value) ? value.bind(target) : value;
    },
    set(target, key, value) {
      if (!isListed(kind, key)) refuse(kind, String(key));
      target[key] = value;
      return true;
    },
    has(target, key) { return isListed(kind, key) && key in target; },
  });
  faces.set(object, face);
  behind.set(face, object);
  return face;
}

/** A class of the module: what it makes has a face, too. */
function guardClass(kind, type) {
  const face = new Proxy(type, {
    construct(target, given) { return guard(kind, new target(...given)); },
    get(target, key) {
      if (typeof key === 'symbol' || key === 'prototype') return Reflect.get(target, key);
      if (!isListed(kind, key)) return refuse(kind, key);
      return (...given) => guard(kind, target[key](...given));
    },
  });
  behindClasses.add(face);
  return face;
}

function rangeFace(range) {
  const { start, end, isEmpty } = range;
  return guard('Range', { start: guard('Position', start), end: guard('Position', end), isEmpty });
}

/** What is behind a face; anything else is itself. */
function real(face) { return behind.get(face) ?? face; }

/** Options that the extension hands over hold nothing that is not listed, either. */
function options(kind, given) {
  for (const key of Object.keys(given ?? {})) {
    if (!isListed(kind, key)) refuse(kind, key);
  }
  return given ?? {};
}

module.exports = { guard, guardClass, rangeFace, real, options, unknown, UnknownMember };
