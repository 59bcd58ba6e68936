// SPDX-License-Identifier: MIT
// The extension with the real `continuo serve` and agent of one device.
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const fs = require('fs');
const { scene, extension } = require('./harness');

const real = { isReal: true };

/** How the file stands, as the real server told. */
async function standing(t, name) {
  const documents = require(extension + '/lib/documents');
  return t.eventually('the standing', () => documents.find(t.uri(name))?.standing);
}

function connection() { return require(extension + '/lib/connection').state; }

scene('1, 18 A file in a registered folder is synced, and health finds all that is needed', async (t, w) => {
  t.write('plan.md', 'one\n');
  w.open(t.path('plan.md'));
  const { synced, reason } = await standing(t, 'plan.md');
  assert.equal(synced, false);
  assert.ok(reason.length > 0);
  await t.eventually('the agent', () => connection().connected);
  execFileSync('continuo', ['folder', 'add', t.folder]);
  const documents = require(extension + '/lib/documents');
  await t.eventually('the folder', () => documents.find(t.uri('plan.md')).standing.synced);
  w.type('x');
  await t.eventually('the save', () => t.read('plan.md') === 'xone\n');
  await w.execute('continuo.health');
  const lines = await t.eventually('the report', () => w.channels[0]?.lines.length > 0 && w.channels[0].lines);
  assert.deepEqual(lines.filter((line) => line.includes('WRONG')), []);
  assert.ok(lines.includes('The server runs, and is connected to the agent'));
}, { ...real, isSynced: false });

scene('16, 19 Outside of synced folders nothing is saved or said; stopping and starting again works', async (t, w) => {
  t.write('plan.md', 'one\n');
  w.open(t.path('plan.md'));
  await standing(t, 'plan.md');
  w.type('x');
  await t.eventually('the agent', () => connection().connected);
  await w.execute('continuo.stop');
  assert.equal(require(extension + '/lib/connection').isRunning(), false);
  await w.execute('continuo.start');
  await t.eventually('the agent again', () => connection().connected);
  assert.deepEqual([w.told, w.saves, t.read('plan.md')], [[], [], 'one\n']);
  assert.ok(fs.existsSync(t.folder));
}, { ...real, isSynced: false });
