// SPDX-License-Identifier: MIT
// Choosing between a file and its conflict copies.
'use strict';

const assert = require('assert/strict');
const { scene } = require('./harness');

const copy = 'plan.sync-conflict-20261122-040000-ABCDEFG.md';

/** The server lists these. */
function listing(t, name = copy) {
  const version = { changedAt: 1700000000000, size: 5, readable: true };
  t.answers['document/versions'] = { versions: [
    { ...version, uri: t.uri('plan.md'), document: true },
    { ...version, uri: t.uri(name), document: false, device: 'D\x1b[1m', putAside: '2026-11-22' },
  ] };
  t.answers['document/resolve'] = { aside: [{ from: t.uri('plan.md'), uri: t.uri(name) }] };
}

async function choose(t, w, start) {
  void w.execute('continuo.resolve');
  await t.eventually('the choices', () => w.pick);
  w.pick.chooseLabel(start);
}

scene('13 Both texts are shown side by side by the editor\'s own means', async (t, w) => {
  t.write('plan.md', 'mine\n');
  t.write(copy, 'theirs\n');
  await t.edit('plan.md');
  listing(t);
  await choose(t, w, 'Compare with plan.sync');
  await t.eventually('the comparison', () => w.editors.length === 2);
  assert.deepEqual(w.editors.map((editor) => editor.shown.getText()), ['theirs\n', 'mine\n']);
  assert.deepEqual(w.picks[0].labels.length, 3);
  assert.ok(w.picks[0].labels.every((label) => !/[\0-\x1F]/.test(label)));
  // What is merged at the right is the document.
  w.type('x');
  await t.saved('plan.md', 'xmine\n');
});

scene('13 A version is kept, and its text is shown; nothing is deleted here', async (t, w) => {
  t.write('plan.md', 'mine\n');
  t.write(copy, 'theirs\n');
  await t.edit('plan.md');
  listing(t);
  const { aside } = t.answers['document/resolve'];
  t.answers['document/resolve'] = () => {
    t.write('plan.md', 'theirs\n');
    return { aside };
  };
  await choose(t, w, 'Keep plan.sync');
  await t.eventually('the text', () => t.document.getText() === 'theirs\n');
  assert.deepEqual(t.told('document/resolve'), [{ uri: t.uri('plan.md'), keep: t.uri(copy) }]);
  assert.ok(w.told.some((text) => text.includes(`plan.md is in ${copy} now`)));
  assert.equal(t.read(copy), 'theirs\n');
});

scene('13, 9 Unsaved text is not resolved away, in the document or in the copy', async (t, w) => {
  t.write('plan.md', 'mine\n');
  t.write(copy, 'theirs\n');
  await t.edit(copy);
  w.type('y');
  await t.edit('plan.md');
  listing(t);
  await choose(t, w, 'Keep the document');
  await t.eventually('the resolution', () => t.told('document/resolve').length === 1);
  await choose(t, w, 'Keep plan.sync');
  await t.eventually('a sentence', () => w.told.some((text) => text.includes(`${copy} has unsaved changes: save them`)));
  w.type('x');
  await choose(t, w, 'Keep the document');
  await t.eventually('a sentence', () => w.told.some((text) => text.includes('plan.md has unsaved changes: save them')));
  assert.equal(t.told('document/resolve').length, 1);
  assert.deepEqual([t.read('plan.md'), t.read(copy)], ['mine\n', 'theirs\n']);
});

scene('13 A refusal is a sentence, and so is a file without a copy', async (t, w) => {
  t.write('plan.md', 'mine\n');
  await t.edit('plan.md');
  listing(t);
  t.answers['document/resolve'] = { error: { code: -32803, message: 'plan.md was changed since' } };
  await choose(t, w, 'Keep the document');
  await t.eventually('the sentence', () => w.told.includes('Continuo: plan.md was changed since'));
  t.answers['document/versions'] = { versions: [] };
  await w.execute('continuo.resolve');
  assert.ok(w.told.at(-1).includes('there is nothing to resolve'));
});
