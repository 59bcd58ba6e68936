// SPDX-License-Identifier: MIT
// What of a document is told and saved, and when.
'use strict';

const assert = require('assert/strict');
const fs = require('fs');
const { scene, extension } = require('./harness');

scene('1 A file that is opened is told, and is the current one', async (t) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  assert.deepEqual(t.told('document/open'), [{ uri: t.uri('plan.md'), edited: false }]);
  assert.deepEqual(t.told('document/becomeCurrent'), [{ uri: t.uri('plan.md') }]);
  const [{ positionEncoding, app }] = t.told('initialize');
  assert.deepEqual([positionEncoding, app.name], ['utf-16', 'Stand-in']);
});

scene('1 Typing and moving are told, and little while much happens', async (t, w) => {
  t.write('plan.md', 'one\ntwo\n');
  await t.edit('plan.md');
  for (let count = 0; count < 50; count++) w.type('x');
  await t.eventually('the change', () => t.told('document/didChange').length > 0);
  assert.deepEqual(t.told('document/didChange')[0], { uri: t.uri('plan.md'), edited: true, byPerson: true });
  assert.ok(t.told('document/didChange').length < 5);
  await t.saved('plan.md', 'x'.repeat(50) + 'one\ntwo\n');
  assert.equal(t.told('document/open').length, 1);
  t.forget();
  await t.settled('plan.md');
  w.select({ line: 1, character: 0 }, { line: 1, character: 2 });
  await t.eventually('the move', () => t.told('document/didChange').length > 0);
  assert.deepEqual((await t.round('plan.md')).place, {
    position: { line: 1, character: 2 }, selection: { line: 1, character: 0 }, topLine: 0,
  });
});

scene('1, 2 A round saves the document, and tells the place in UTF-16 units', async (t, w) => {
  t.write('plan.md', 'one\naé😀漢\tz\nthree\n');
  await t.edit('plan.md');
  w.select({ line: 1, character: 6 }, { line: 1, character: 6 });
  w.type('x');
  await t.saved('plan.md', 'one\naé😀漢\txz\nthree\n');
  assert.deepEqual(t.told('document/didSave'), [{ uri: t.uri('plan.md') }]);
  assert.deepEqual(await t.round('plan.md'), {
    edited: false, title: 'plan.md', place: { position: { line: 1, character: 7 }, topLine: 0 },
  });
});

scene('2, 21 A document without a name is nobody\'s business, and is never saved', async (t, w) => {
  w.openUntitled('/Untitled-1');
  w.type('text');
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  assert.equal(t.told('document/open').length, 1);
  assert.deepEqual(w.saves, []);
});

scene('4 Saving waits until nobody types, whatever other extensions do on a save', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.saveParticipants.push((document) => document.getText().replace(/[ ]+$/gm, ''));
  w.select({ line: 0, character: 3 }, { line: 0, character: 3 });
  w.type('x ');
  const typing = setInterval(() => w.type('x '), 300);
  assert.equal((await t.round('plan.md')).edited, true);
  assert.deepEqual([w.saves, t.read('plan.md')], [[], 'one\n']);
  assert.match(t.document.getText(), /^one(x )+\n$/);
  clearInterval(typing);
  await t.eventually('the change', () => t.told('document/didChange').length > 0);
  t.forget();
  // The extension asks for another round by itself, once there is a pause.
  await t.eventually('another round', () => t.told('document/didChange').length > 0);
  await t.eventually('the save', async () => !(await t.round('plan.md')).edited);
  assert.match(t.read('plan.md'), /^one(x )*x\n$/);
});

scene('4 What is typed in one go is saved and told once', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.type('x');
  assert.equal((await t.round('plan.md')).edited, false);
  assert.deepEqual([t.read('plan.md'), w.saves.length], ['xone\n', 1]);
});

scene('3 A file that somebody else wrote is not saved over, however much alike it is', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.type('x');
  const { mtime } = fs.statSync(t.path('plan.md'));
  // Another file of the same size and time; and the editor itself would overwrite.
  w.userSettings['files.saveConflictResolution'] = 'overwriteFileOnDisk';
  t.write('other', 'two\n');
  fs.utimesSync(t.path('other'), mtime, mtime);
  fs.renameSync(t.path('other'), t.path('plan.md'));
  assert.equal((await t.round('plan.md')).edited, true);
  await t.eventually('a sentence', () => w.told.some((text) => text.includes('it was changed on disk')));
  assert.deepEqual([t.read('plan.md'), w.saves], ['two\n', []]);
  await t.round('plan.md');
  assert.equal(w.told.length, 1);
});

scene('3, 9 Text that was recovered is not saved over the file, for nobody has read that', async (t, w) => {
  t.write('plan.md', 'newer from elsewhere\n');
  w.openBackup(t.path('plan.md'), 'mine\n');
  await t.eventually('the file to be told', () => t.told('document/open').length > 0);
  assert.deepEqual(t.told('document/open')[0], { uri: t.uri('plan.md'), edited: true });
  assert.equal((await t.round('plan.md')).edited, true);
  assert.deepEqual([t.read('plan.md'), w.saves, t.document.getText()], ['newer from elsewhere\n', [], 'mine\n']);
});

scene('4 Characters that the encoding has not are not saved, and that is told once', async (t, w) => {
  t.write('plan.md', Buffer.from('caf\xE9\n', 'latin1'));
  w.encodings.set(t.path('plan.md'), 'iso88591');
  await t.edit('plan.md');
  w.type('漢');
  assert.equal((await t.round('plan.md')).edited, true);
  await t.round('plan.md');
  assert.equal(w.told.filter((text) => text.includes('has characters that iso88591 has not')).length, 1);
  w.undoAll();
  w.type('é');
  await t.eventually('the save', async () => !(await t.round('plan.md')).edited);
  assert.equal(fs.readFileSync(t.path('plan.md'), 'latin1'), 'c\xE9af\xE9\n');
});

scene('4 Bytes that are no text are not written as something else', async (t, w) => {
  t.write('plan.md', Buffer.from('caf\xE9\n', 'latin1'));
  await t.edit('plan.md');
  w.type('x');
  assert.equal((await t.round('plan.md')).edited, true);
  assert.equal(fs.readFileSync(t.path('plan.md'), 'latin1'), 'caf\xE9\n');
  assert.match(w.told[0], /bytes that could not be read as text/);
});

scene('4 An older editor that does not tell encodings saves what can only be UTF-8', async (t, w) => {
  t.write('plan.md', 'é\n');
  t.write('other.md', Buffer.from('caf\xE9\n', 'latin1'));
  w.encodings.set(t.path('other.md'), 'iso88591');
  await t.edit('plan.md');
  w.type('漢');
  await t.saved('plan.md', '漢é\n');
  await t.edit('other.md');
  w.type('x');
  assert.equal((await t.round('other.md')).edited, true);
  assert.equal(fs.readFileSync(t.path('other.md'), 'latin1'), 'caf\xE9\n');
}, { tellsEncoding: false });

scene('4 Line ends of several kinds are not made equal', async (t, w) => {
  t.write('plan.md', 'one\r\ntwo\nthree\n');
  await t.edit('plan.md');
  w.type('x');
  assert.equal((await t.round('plan.md')).edited, true);
  assert.equal(t.read('plan.md'), 'one\r\ntwo\nthree\n');
  assert.match(w.told[0], /line ends of several kinds/);
});

scene('7 Where CR alone ends a line here, no place is told', async (t) => {
  t.write('plan.md', 'one\rtwo\nthree\n');
  await t.edit('plan.md');
  assert.equal((await t.round('plan.md')).place, undefined);
});

scene('1 Carriage returns and a byte order mark count as nothing, and stay', async (t, w) => {
  t.write('plan.md', '\uFEFFone\r\ntwo\r\n');
  await t.edit('plan.md');
  w.select({ line: 1, character: 3 }, { line: 1, character: 3 });
  w.type('x');
  await t.saved('plan.md', '\uFEFFone\r\ntwox\r\n');
  assert.deepEqual((await t.round('plan.md')).place.position, { line: 1, character: 4 });
});

// Semantics 25g: nobody is in the middle of a word here.
scene('A round for another device saves at once, and says why where it cannot', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.type('x');
  const params = { uri: t.uri('plan.md'), requestedBy: 'laptop' };
  let answer = await t.ask('activity/update', params);
  assert.deepEqual([answer.edited, answer.refusal, t.read('plan.md')], [false, undefined, 'xone\n']);
  w.type('y');
  t.write('other', 'two\n');
  fs.renameSync(t.path('other'), t.path('plan.md'));
  answer = await t.ask('activity/update', params);
  assert.deepEqual([answer.edited, answer.refusal], [true, 'plan.md was changed on disk']);
  assert.equal((await t.round('plan.md')).refusal, undefined);
});

scene('4, 21 A read-only document is not saved, without a question', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.type('x');
  w.readonlyPaths.add(t.path('plan.md'));
  await t.eventually('a sentence', async () => {
    await t.round('plan.md');
    return w.told.some((text) => text.includes('could not be saved'));
  });
  assert.equal(t.read('plan.md'), 'one\n');
});

scene('12 A deleted file is not made again by itself', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.type('x');
  fs.unlinkSync(t.path('plan.md'));
  assert.equal((await t.round('plan.md')).edited, true);
  assert.deepEqual([t.read('plan.md'), t.document.getText()], [undefined, 'xone\n']);
});

scene('17 Without autosave nothing is saved, and that is told', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.type('x');
  assert.equal((await t.round('plan.md')).edited, true);
  assert.deepEqual([w.saves, w.told], [[], []]);
}, { userSettings: { 'continuo.autosave': false } });

scene('19 Outside of synced folders nothing is saved or shown', async (t, w) => {
  t.answers['document/open'] = { synced: false, reason: 'it is in no synced folder' };
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.type('x');
  await t.eventually('the change', () => t.told('document/didChange').length > 0);
  assert.deepEqual([w.told, w.status, w.saves, w.waits], [[], [], [], []]);
}, { isSynced: false });

scene('1 Files of other machines, and copies of git\'s, are nobody\'s business', async (t, w) => {
  const { Uri } = require('./stand-in/values');
  t.write('plan.md', 'one\n');
  for (const scheme of ['git', 'vscode-remote', 'vscode-local']) {
    w.show(w.document(new Uri(scheme, '', t.path('plan.md'))));
  }
  w.show(w.document(new Uri('file', 'host', t.path('plan.md'))));
  await t.edit('plan.md');
  assert.equal(t.told('document/open').length, 1);
});

scene('1 A tab that is closed is told, one that another shows as well is not', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.open(t.path('plan.md'), 2);
  t.write('other.md', 'one\n');
  await t.edit('other.md');
  const [first, second] = w.tabs.filter((tab) => tab.documents[0].path === t.path('plan.md'));
  w.closeTab(first);
  w.closeTab(w.tabs.find((tab) => tab.documents[0].path === t.path('other.md')));
  await t.eventually('the end', () => t.told('document/close').length > 0);
  assert.deepEqual(t.told('document/close'), [{ uri: t.uri('other.md') }]);
  w.closeTab(second);
  await t.eventually('the end of the other', () => t.told('document/close').length > 1);
});

scene('10 A new name that the person gives is told, also of a folder above', async (t, w) => {
  fs.mkdirSync(t.path('a'));
  t.write('a/plan.md', 'one\ntwo\n');
  await t.edit('a/plan.md');
  w.select({ line: 1, character: 1 }, { line: 1, character: 1 });
  w.rename(t.path('a/plan.md'), t.path('a/new.md'));
  await t.eventually('the name', () => t.told('document/didMove').length > 0);
  assert.deepEqual(t.told('document/didMove')[0], { uri: t.uri('a/plan.md'), newUri: t.uri('a/new.md') });
  w.type('x');
  await t.saved('a/new.md', 'one\ntxwo\n');
  assert.equal(t.told('document/close').length, 0);
});

scene('21 Two editors on one document: the one in front tells the place', async (t, w) => {
  t.write('plan.md', 'one\ntwo\n');
  await t.edit('plan.md');
  const second = w.open(t.path('plan.md'), 2);
  second.move({ line: 1, character: 2 });
  assert.deepEqual((await t.round('plan.md')).place.position, { line: 1, character: 2 });
  w.open(t.path('plan.md'), 1);
  assert.deepEqual((await t.round('plan.md')).place.position, { line: 0, character: 0 });
  assert.equal(t.told('document/open').length, 1);
});

scene('21 A hundred documents', async (t, w) => {
  for (let number = 0; number < 100; number++) {
    t.write(`plan${number}.md`, `text ${number}\n`);
    await t.edit(`plan${number}.md`);
  }
  assert.equal(t.told('document/open').length, 100);
  w.type('x');
  await t.saved('plan99.md', 'xtext 99\n');
  t.server.exit(1);
  await t.eventually('all to be told again', () => t.told('document/open').length === 200);
});

scene('16 A standing that is told together with an older answer is the newer one', async (t) => {
  const documents = require(extension + '/lib/documents');
  t.answers['document/open'] = () => {
    const params = { uri: t.uri('plan.md'), synced: true, folder: 'Notes' };
    t.together.push({ method: 'document/standingDidChange', params });
    return { synced: false, reason: 'it is in no synced folder' };
  };
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  await t.eventually('the standing', () => documents.find(t.uri('plan.md')).standing);
  assert.equal(documents.find(t.uri('plan.md')).standing.synced, true);
});
