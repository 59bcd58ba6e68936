// SPDX-License-Identifier: MIT
// What is shown of other devices' offers, and what becomes of tabs, documents and cursors.
'use strict';

const assert = require('assert/strict');
const fs = require('fs');
const { scene, offer } = require('./harness');

function place(line, character, topLine = 0) { return { position: { line, character }, topLine }; }

function restore(t, name, at, more = {}) {
  return t.ask('document/restore', {
    request: 'r1', uri: t.uri(name), offer: offer(name), activity: {}, place: at, readOnly: false, ...more,
  });
}

let clock = 1;

/** The person asks to continue. */
async function accept(t, name) {
  clock += 1;
  t.say('offers/didChange', { offers: [offer(name, { changedAt: clock })] });
  const before = t.told('continuation/accept').length;
  await t.workbench.execute('continuo.resume');
  await t.eventually('the acceptance', () => t.told('continuation/accept').length > before);
  t.say('continuation/willContinue', { request: 'r1', offer: offer(name) });
}

scene('5 An offer is shown without focus or keys, and is continued by its button', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  t.say('offers/didChange', { offers: [offer('far.md', { unsavedChanges: true })] });
  assert.deepEqual(w.status, ['⇄ far.md from laptop, with unsaved changes there']);
  assert.equal(w.focus, 'editor');
  w.type('x');
  assert.equal(t.document.getText(), 'xone\n');
  const { text, press } = w.notification('Continue');
  assert.equal(text, 'Continuo: continue far.md from laptop, with unsaved changes there?');
  press('Continue');
  await t.eventually('the acceptance', () => t.told('continuation/accept').length > 0);
  assert.deepEqual(t.told('continuation/accept'), [{ offer: 'o1' }]);
});

scene('5 An offer that is put away stays so for a while, and one notification is enough', async (t, w) => {
  t.say('offers/didChange', { offers: [offer('far.md')] });
  t.say('offers/didChange', { offers: [offer('far.md', { changedAt: 2 })] });
  assert.equal(w.notifications.length, 1);
  w.notification('Dismiss').press('Dismiss');
  await t.eventually('the item to go', () => w.status.length === 0);
  t.say('offers/didChange', { offers: [offer('far.md', { changedAt: 3 })] });
  assert.deepEqual(w.status, []);
  t.say('offers/didChange', { offers: [offer('far.md', { changedAt: 600003 })] });
  assert.deepEqual([w.status.length, w.notifications.length], [1, 2]);
  await w.execute('continuo.dismiss');
  assert.deepEqual(w.status, []);
});

scene('5 A window that is not in front shows no notification before it is', async (t, w) => {
  w.setFocused(false);
  t.say('offers/didChange', { offers: [offer('far.md')] });
  assert.equal(w.notifications.length, 0);
  w.setFocused(true);
  assert.equal(w.notifications.length, 1);
});

scene('17 Offers show in the status bar alone, or not at all', async (t, w) => {
  t.say('offers/didChange', { offers: [offer('far.md')] });
  assert.deepEqual([w.status.length, w.notifications.length], [1, 0]);
  w.configure('continuo.prompt', 'off');
  assert.deepEqual(w.status, []);
  await w.execute('continuo.resume');
  await t.eventually('the acceptance', () => t.told('continuation/accept').length > 0);
}, { userSettings: { 'continuo.prompt': 'statusBar' } });

scene('5 What comes back of the person\'s own work is no offer', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  const own = (arrival, changedAt) => {
    t.say('offers/didChange', { offers: [offer('plan.md', { changedAt, uri: t.uri('plan.md'), status: { arrival } })] });
    return w.status.length;
  };
  assert.equal(own('current', 1), 1);
  w.type('x');
  assert.equal(w.status.length, 0);
  assert.deepEqual([own('ahead', 2), own('behind', 3)], [0, 1]);
  t.forget();
  t.write('plan.md', 'two\n');
  w.undoAll();
  await t.eventually('the new text', () => t.document.getText() === 'two\n' && t.told('document/open').length > 0);
  assert.equal(own('current', 5), 1);
});

scene('5 Of two offers of one document the newer one counts; of several the person chooses', async (t, w) => {
  t.say('offers/didChange', { offers: [
    offer('far.md', { id: 'o1', changedAt: 1 }), offer('far.md', { id: 'o2', changedAt: 3 }), offer('near.md', { id: 'o3' }),
  ] });
  void w.execute('continuo.resume');
  await t.eventually('the list', () => w.pick);
  assert.deepEqual(w.pick.labels, ['far.md from laptop', 'near.md from laptop']);
  w.pick.choose(0);
  await t.eventually('the acceptance', () => t.told('continuation/accept').length > 0);
  assert.deepEqual(t.told('continuation/accept'), [{ offer: 'o2' }]);
});

scene('5 Who asks before the server has told of an offer continues once it has', async (t, w) => {
  await w.execute('continuo.resume');
  assert.deepEqual(w.told, []);
  t.say('offers/didChange', { offers: [offer('far.md')] });
  await t.eventually('the acceptance', () => t.told('continuation/accept').length > 0);
});

scene('5 Who asks an agent that was just started continues once it tells of an offer', async (t, w) => {
  t.say('connection/didChange', { connected: true });
  t.say('offers/didChange', { offers: [] });
  await w.execute('continuo.resume');
  assert.deepEqual(w.told, []);
  t.say('offers/didChange', { offers: [offer('far.md')] });
  await t.eventually('the acceptance', () => t.told('continuation/accept').length > 0);
});

scene('5 What is asked for once an offer was told is not answered with a later one', async (t, w) => {
  t.say('connection/didChange', { connected: true });
  t.say('offers/didChange', { offers: [offer('far.md')] });
  t.say('offers/didChange', { offers: [] });
  await w.execute('continuo.resume');
  assert.match(w.told.at(-1) ?? '', /no other device offers anything/);
  t.say('offers/didChange', { offers: [offer('far.md')] });
  assert.deepEqual(t.told('continuation/accept'), []);
});

scene('6 A wait shows its reason and progress, gives the three choices, and can be cancelled', async (t, w) => {
  await accept(t, 'far.md');
  t.say('continuation/progress', { request: 'r1', offer: offer('far.md'), status: {
    arrival: 'behind', reason: 'the engine brings it', received: 10, expected: 40,
  } });
  const [wait] = w.waits;
  assert.deepEqual([wait.title, wait.message, wait.share, wait.isCancellable],
    ['Waiting for far.md from laptop', 'the engine brings it (10 B of 40 B)', 25, true]);
  assert.deepEqual(w.status, ['⇄ … far.md']);
  void w.click('Continuo: offers');
  await t.eventually('the choices', () => w.pick);
  assert.deepEqual(w.pick.labels, ['Open what is here, for reading', 'Keep waiting', 'Give up']);
  w.pick.chooseLabel('Keep');
  await t.eventually('the choice', () => t.told('continuation/choose').length > 0);
  assert.deepEqual(t.told('continuation/choose'), [{ request: 'r1', choice: 'keepWaiting' }]);
  wait.cancel();
  await t.eventually('the end', () => t.told('continuation/cancel').length > 0);
  t.say('continuation/didFail', { request: 'r1', code: 'userCancelled', message: 'no', shown: false });
  await t.eventually('the progress to go', () => !wait.isThere);
  assert.deepEqual(w.told.filter((text) => !text.includes('continue far.md')), []);
});

scene('6 A version that is not on its way is asked about once, without focus', async (t, w) => {
  await accept(t, 'far.md');
  const status = { arrival: 'diverged', reason: 'far.md was changed here, too' };
  t.say('continuation/progress', { request: 'r1', offer: offer('far.md'), status });
  t.say('continuation/progress', { request: 'r1', offer: offer('far.md'), status });
  const asked = w.notifications.filter((each) => each.buttons.length === 3);
  assert.equal(asked.length, 1);
  assert.equal(asked[0].text, 'Continuo: far.md has diverged: far.md was changed here, too');
  assert.equal(w.focus, 'editor');
  asked[0].press('Open what is here, for reading');
  await t.eventually('the choice', () => t.told('continuation/choose').length > 0);
  assert.deepEqual(t.told('continuation/choose'), [{ request: 'r1', choice: 'openHere' }]);
  t.say('continuation/didFail', { request: 'r1', code: 'x', message: 'it did not come', shown: true });
  await t.eventually('the sentence', () => w.told.includes('Continuo: it did not come'));
});

scene('7 What is continued is opened at its character, in its window, with its folds open', async (t, w) => {
  t.write('far.md', 'a line\n'.repeat(100) + 'aé😀漢\tz\n' + 'a line\n'.repeat(100));
  w.open(t.path('far.md')).folds = [[10, 150], [90, 120], [160, 170]];
  await accept(t, 'far.md');
  assert.deepEqual(await restore(t, 'far.md', place(100, 5, 95)), { opened: true });
  assert.deepEqual(t.cursor, [100, 5]);
  assert.equal(w.activeEditor.top, 95);
  assert.deepEqual(w.activeEditor.folds, [[160, 170]]);
  w.type('x');
  assert.equal(t.document.lines[100], 'aé😀漢x\tz');
});

scene('7 A new document is opened in front, and what was selected is selected, in both directions', async (t, w) => {
  t.write('plan.md', 'one\n');
  t.write('far.md', 'one\naé😀漢\tz\nthree\n');
  await t.edit('plan.md');
  for (const [active, anchor] of [[1, 5], [5, 1]]) {
    await accept(t, 'far.md');
    const at = { ...place(1, active), selection: { line: 1, character: anchor } };
    assert.deepEqual(await restore(t, 'far.md', at), { opened: true });
    assert.equal(t.document.path, t.path('far.md'));
    assert.deepEqual((await t.round('far.md')).place, at);
  }
  assert.equal(t.told('document/becomeCurrent').at(-1).uri, t.uri('far.md'));
});

scene('7 Where the line is far from what was the first one, it is shown all the same', async (t, w) => {
  t.write('far.md', 'a line\n'.repeat(200));
  await restore(t, 'far.md', place(150, 2, 0));
  assert.ok(w.activeEditor.shownLines.includes(150));
});

scene('8 A cursor that is used stays, and a jump goes to the place', async (t, w) => {
  t.write('far.md', 'one\ntwo\nthree\n');
  await t.edit('far.md');
  await accept(t, 'far.md');
  await t.settled('far.md');
  w.select({ line: 0, character: 1 }, { line: 0, character: 1 });
  assert.equal((await restore(t, 'far.md', place(2, 3))).opened, true);
  assert.deepEqual(t.cursor, [0, 1]);
  assert.match(w.told.at(-1), /your cursor stays; "Continuo: Jump" goes where laptop was \(line 3\)/);
  w.notification('Jump').press('Jump');
  await t.eventually('the jump', () => t.cursor[0] === 2 && t.cursor[1] === 3);
});

scene('8 A cursor that was used before the person asked is moved', async (t, w) => {
  t.write('far.md', 'one\ntwo\nthree\n');
  await t.edit('far.md');
  w.select({ line: 1, character: 1 }, { line: 1, character: 1 });
  await t.eventually('a moment', () => t.told('document/didChange').length > 0);
  await accept(t, 'far.md');
  await restore(t, 'far.md', place(2, 3));
  assert.deepEqual(t.cursor, [2, 3]);
});

scene('5, 8 In the middle of typing nothing is put in front', async (t, w) => {
  t.write('plan.md', 'one\n');
  t.write('far.md', 'one\ntwo\n');
  await t.edit('plan.md');
  await accept(t, 'far.md');
  w.type('ab');
  assert.equal((await restore(t, 'far.md', place(1, 2))).opened, true);
  w.type('cd');
  assert.equal(t.document.getText(), 'abcdone\n');
  assert.match(w.told.at(-1), /far.md is open in the background/);
  await w.execute('continuo.jump');
  assert.deepEqual([t.document.path, ...t.cursor], [t.path('far.md'), 1, 2]);
});

scene('9 An older document is read again, one with unsaved text is not', async (t, w) => {
  t.write('far.md', 'one\n');
  await t.edit('far.md');
  t.write('far.md', 'new\none\n');
  await accept(t, 'far.md');
  assert.equal((await restore(t, 'far.md', place(1, 1))).opened, true);
  assert.deepEqual([t.document.getText(), ...t.cursor], ['new\none\n', 1, 1]);
  w.type('x');
  t.write('far.md', 'two\n');
  const answer = await restore(t, 'far.md', place(0, 1));
  assert.equal(answer.opened, false);
  assert.match(answer.message, /unsaved changes here/);
  assert.deepEqual([t.document.getText(), t.read('far.md')], ['new\noxne\n', 'two\n']);
});

scene('9 A file that the editor does not watch is read again by command, in front and unmodified alone', async (t, w) => {
  w.watchesFiles = false;
  t.write('far.md', 'one\n');
  await t.edit('far.md');
  t.write('far.md', 'new\none\n');
  assert.equal((await restore(t, 'far.md', place(1, 1))).opened, true);
  assert.deepEqual([t.document.getText(), ...t.cursor], ['new\none\n', 1, 1]);
  assert.ok(w.executed.includes('workbench.action.files.revert'));
});

scene('9 Recovered text that no tab shows yet is not continued over', async (t, w) => {
  t.write('far.md', 'newer\n');
  w.openBackup(t.path('far.md'), 'mine\n');
  const answer = await restore(t, 'far.md', place(0, 1));
  assert.equal(answer.opened, false);
  assert.deepEqual([t.document.getText(), t.read('far.md')], ['mine\n', 'newer\n']);
});

scene('6 What is only for reading is so, is not saved, and is written again afterwards', async (t, w) => {
  t.write('far.md', 'one\n');
  await restore(t, 'far.md', place(0, 1), { readOnly: true });
  assert.equal(w.type('x'), false);
  await restore(t, 'far.md', place(0, 1));
  assert.equal(w.type('x'), true);
  await t.saved('far.md', 'oxne\n');
});

scene('21 An older editor without that command gets a sentence, and nothing is saved by itself', async (t, w) => {
  w.isOld = true;
  t.write('far.md', 'one\n');
  assert.equal((await restore(t, 'far.md', place(0, 1), { readOnly: true })).opened, true);
  assert.match(w.told.at(-1), /cannot keep you from writing/);
  w.type('x');
  assert.equal((await t.round('far.md')).edited, true);
  assert.equal(t.read('far.md'), 'one\n');
});

scene('7 A place that is not there is the nearest one, and hostile numbers do no harm', async (t) => {
  t.write('far.md', 'one\n😀two\n');
  for (const at of [place(99, 0, 99), place(0, 99), place(2 ** 31, 2 ** 31, 2 ** 31), place(-1, -1, -1), place(1, 1)]) {
    assert.deepEqual(await restore(t, 'far.md', at), { opened: true });
  }
  assert.deepEqual(t.cursor, [1, 0]);
  assert.equal((await restore(t, 'none.md', place(0, 0))).opened, false);
  assert.equal((await t.ask('document/restore', { request: 'r1', uri: 'https://example.org' })).opened, false);
});

scene('21 A file of 50 MB and a binary one are opened as the editor opens them, with a sentence', async (t, w) => {
  t.write('far.md', 'a line\n'.repeat(7500000));
  assert.equal((await restore(t, 'far.md', place(700000, 2))).opened, true);
  assert.deepEqual(w.foreign, { path: t.path('far.md'), line: 700000 });
  assert.match(w.told.at(-1), /not open to extensions/);
  t.write('picture.png', Buffer.from([0x89, 0x50, 0, 0]));
  assert.equal((await restore(t, 'picture.png', place(0, 0))).opened, true);
  assert.equal(w.foreign.path, t.path('picture.png'));
});

scene('11 A file that changes on disk is read again, where it was; with unsaved text that is told', async (t, w) => {
  t.write('plan.md', 'a line\n'.repeat(100));
  await t.edit('plan.md');
  w.select({ line: 50, character: 2 }, { line: 50, character: 2 });
  w.activeEditor.scroll(45);
  t.forget();
  t.write('plan.md', 'b line\n'.repeat(100));
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'changed' });
  await t.eventually('the new text', () => t.document.lines[0] === 'b line' && t.told('document/open').length > 0);
  assert.deepEqual([...t.cursor, w.activeEditor.top], [50, 2, 45]);
  w.type('x');
  t.write('plan.md', 'c line\n'.repeat(100));
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'changed' });
  await t.eventually('a sentence', () => w.told.some((text) => text.includes('your text stays')));
  assert.deepEqual([t.document.lines[50], t.read('plan.md').slice(0, 6)], ['b xline', 'c line']);
  w.notification('Compare').press('Compare');
  await t.eventually('the comparison', () => w.executed.includes('workbench.files.action.compareWithSaved'));
});

scene('11 A file that was replaced by the same text is the one that is held', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  t.forget();
  t.write('other', 'one\n');
  // The editor tells versions apart by size and time: this one is not of the same tick of the clock.
  const later = Date.now() / 1000 + 2;
  fs.utimesSync(t.path('other'), later, later);
  fs.renameSync(t.path('other'), t.path('plan.md'));
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'changed' });
  await t.eventually('the file to be told', () => t.told('document/open').length > 0);
  await t.eventually('the editor to look', () => t.document.onDisk.ino === fs.statSync(t.path('plan.md')).ino);
  w.type('x');
  await t.saved('plan.md', 'xone\n');
});

scene('10 A moved file is followed with its place, and its tab is the old one\'s', async (t, w) => {
  t.write('plan.md', 'a line\n'.repeat(100));
  await t.edit('plan.md');
  w.select({ line: 50, character: 2 }, { line: 50, character: 2 });
  w.activeEditor.scroll(45);
  await t.round('plan.md');
  fs.renameSync(t.path('plan.md'), t.path('new.md'));
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'moved', newUri: t.uri('new.md') });
  await t.eventually('the new name', () => t.told('document/didMove').length > 0);
  await t.eventually('a sentence', () => w.told.some((text) => text.includes('plan.md was moved: it is')));
  assert.deepEqual([t.document.path, ...t.cursor, w.activeEditor.top], [t.path('new.md'), 50, 2, 45]);
  await t.eventually('one tab', () => w.tabs.length === 1);
  w.type('x');
  await t.saved('new.md', 'a line\n'.repeat(50) + 'a xline\n' + 'a line\n'.repeat(49));
  assert.equal(t.told('document/close').length, 0);
});

scene('10, 9 Unsaved text goes along with a moved file, and stays where it was, too', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.type('x');
  fs.renameSync(t.path('plan.md'), t.path('new.md'));
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'moved', newUri: t.uri('new.md') });
  await t.eventually('the new name', () => t.told('document/didMove').length > 0);
  await t.eventually('a sentence', () => w.told.some((text) => text.includes('your unsaved text is there, too')));
  assert.deepEqual([t.document.path, t.document.getText()], [t.path('new.md'), 'xone\n']);
  await t.saved('new.md', 'xone\n');
  assert.deepEqual(w.tabs.map((tab) => tab.documents[0].getText()), ['xone\n', 'xone\n']);
  assert.equal(t.read('plan.md'), undefined);
});

scene('10, 9 Unsaved text does not go into a file that is another one by now', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  w.type('x');
  fs.renameSync(t.path('plan.md'), t.path('new.md'));
  t.write('new.md', 'newer\n');
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'moved', newUri: t.uri('new.md') });
  await t.eventually('a sentence', () => w.told.some((text) => text.includes('your unsaved text stays here')));
  assert.deepEqual([t.document.getText(), t.read('new.md'), w.tabs.length], ['xone\n', 'newer\n', 1]);
});

scene('10 A copy\'s move in another folder leads no document away', async (t, w) => {
  t.write('plan.md', 'one\n');
  t.write('second.md', 'one\n');
  await t.edit('plan.md');
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'moved', newUri: t.uri('second.md') });
  w.type('x');
  await t.saved('plan.md', 'xone\n');
  assert.equal(t.read('second.md'), 'one\n');
});

scene('12, 13 Deletion and conflict are told, and the text stays', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'deleted' });
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'conflict', copies: [t.uri('plan.copy.md')] });
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'conflict', copies: [] });
  assert.equal(w.told.length, 2);
  assert.match(w.told[0], /plan.md was deleted; the text stays/);
  assert.match(w.told[1], /in conflict with plan.copy.md/);
  assert.equal(t.document.getText(), 'one\n');
});

scene('14, 15 Who goes on with a document is said until the person does something in it', async (t, w) => {
  t.write('plan.md', 'one\n');
  t.answers['document/otherEditors'] = { editors: [
    { device: 'phone', since: Date.now(), unsavedChanges: true, leftOpen: false },
  ] };
  await t.edit('plan.md');
  t.say('offers/didChange', { offers: [] });
  await t.eventually('the other editor', () => /^phone is editing this since \d\d:\d\d, with unsaved changes$/.test(w.status[0]));
  t.say('activity/wasContinued', { uri: t.uri('plan.md'), device: 'laptop', at: Date.now(), givenUp: true });
  assert.match(w.status[0], /^continued on laptop at \d\d:\d\d$/);
  assert.match(w.told[0], /plan.md was continued on laptop at \d\d:\d\d/);
  // The other device's save is read; that is nothing that the person did.
  t.forget();
  t.write('plan.md', 'one\ntwo\n');
  t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'changed' });
  await t.eventually('the text', () => t.document.getText() === 'one\ntwo\n' && t.told('document/open').length > 0);
  assert.match(w.status[0], /^continued on laptop/);
  for (const change of t.told('document/didChange')) assert.equal(change.byPerson, false);
  w.type('x');
  await t.eventually('the change', () => t.told('document/didChange').at(-1)?.byPerson);
  await t.eventually('the other editor again', () => /^phone is editing this/.test(w.status[0]));
  assert.deepEqual(w.saves, []);
});

scene('16 A server that dies is started again and hears everything, until it dies too often', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  for (let count = 2; count <= 5; count++) {
    t.forget();
    t.server.exit(1);
    await t.eventually('another server', () => t.servers.length === count);
    await t.eventually('the file to be told', () => t.told('document/becomeCurrent').length > 0);
    assert.equal(t.told('document/open').length, 1);
  }
  t.server.exit(1);
  await t.eventually('a sentence', () => w.told.some((text) => text.includes('ended 5 times in a minute (exit code 1)')));
  await w.execute('continuo.start');
  await t.eventually('a sixth', () => t.servers.length === 6);
});

scene('16 An agent that is away is told once, and is back', async (t, w) => {
  for (const connected of [false, false, true]) t.say('connection/didChange', { connected, message: 'the agent is away' });
  assert.deepEqual(w.told, ['Continuo: the agent is away']);
  t.say('connection/didChange', { connected: false, message: 'the agent is away' });
  assert.equal(w.told.length, 2);
});

scene('16 What is no message ends the server, which is started again', async (t) => {
  t.server.stdout.emit('data', Buffer.from('Welcome!\r\n\r\n'));
  await t.eventually('another server', () => t.servers.length === 2);
  t.server.stdout.emit('data', Buffer.from('Content-Length: 3\r\n\r\n{,}'));
  await t.eventually('a third', () => t.servers.length === 3);
});

scene('21 An editor that ends in the middle of a prompt says the last state, and withdraws nothing', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  t.say('offers/didChange', { offers: [offer('far.md')] });
  await accept(t, 'far.md');
  t.say('continuation/progress', { request: 'r1', offer: offer('far.md'), status: { arrival: 'behind' } });
  w.type('x');
  await t.running.end();
  assert.deepEqual(t.log.slice(-3).map((each) => each.method), ['document/didChange', 'shutdown', 'exit']);
  assert.deepEqual([t.told('document/close'), t.read('plan.md'), w.saves], [[], 'one\n', []]);
});
