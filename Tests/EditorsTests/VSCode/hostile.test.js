// SPDX-License-Identifier: MIT
// Names of files, titles and devices are data: none becomes a command, a link, an icon or a second line.
'use strict';

const assert = require('assert/strict');
const fs = require('fs');
const nodePath = require('path');
const { scene, offer, escaped } = require('./harness');

/** The names of Fixtures/hostile-names.txt; those that are no UTF-8 as bytes. */
function fixture() {
  const lines = fs.readFileSync(nodePath.join(__dirname, '../../../Fixtures/hostile-names.txt'), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => Buffer.from(
    Buffer.from(line, 'utf8').toString('latin1').replace(/\\x([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), 'latin1'));
}

function isText(bytes) { return Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes); }

const own = [
  '$(sync~spin).md', '\\$(alert)', '$(x$(bug)', '[click](command:workbench.action.quit)', '[a](https://example.org "b")',
  '[click](command:continuo.stop) $(trash)', '&&quit', '**bold** <b>x</b>', '%s %d {0} ${1}', 'a\u2028b\u0085c', '\u202Edm.exe',
];
const names = [...fixture().filter(isText).map((bytes) => bytes.toString('utf8')), ...own];

function isClean(name, text) {
  assert.doesNotMatch(text, /[\0-\x1F\x7F-\x9F\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|\p{Cs}/u, JSON.stringify(name));
}

function hostile(t, name, id = 'o1') {
  return offer(name, {
    id, device: name, app: name, folder: name, remark: name, uri: t.folder && 'file://' + escaped(t.path(name)),
    status: { arrival: 'current', reason: name },
  });
}

/** All that stands anywhere on the workbench. */
function shown(w) {
  return [
    ...w.told, ...w.status, ...w.waits.flatMap((each) => [each.title, each.message]),
    ...w.statusItems.flatMap((each) => [each.text, String(each.tooltip)]),
    ...w.picks.flatMap((each) => [...each.labels, each.placeHolder]), ...w.channels.flatMap((each) => each.lines),
  ];
}

// Names of files hold no slash, and are at most as long as Linux has them.
const files = names.filter((each) => !each.includes('/') && each !== '.' && Buffer.byteLength(each) <= 255);

scene('20 A name is data when its offer is continued, edited and saved', async (t, w) => {
  for (const [number, name] of files.entries()) {
    t.write(name, `text ${number}\n`);
    t.say('offers/didChange', { offers: [hostile(t, name, 'o' + number)] });
    const answer = await t.ask('document/restore', {
      request: 'r1', uri: 'file://' + escaped(t.path(name)), offer: hostile(t, name), readOnly: false,
      place: { position: { line: 0, character: 0 } },
    });
    assert.deepEqual([name, answer], [name, { opened: true }]);
    assert.equal(t.document.path, t.path(name));
    w.type('x');
    const deadline = Date.now() + 5000;
    while ((await t.ask('activity/update', { uri: 'file://' + escaped(t.path(name)) })).edited) assert.ok(Date.now() < deadline);
    assert.equal(t.read(name), `xtext ${number}\n`);
    if (number % 8 === 0) w.setFocused(true);
  }
  for (const text of shown(w)) isClean(text, text);
  assert.deepEqual(fs.readdirSync(t.folder).filter((name) => /^pwned/.test(name)), []);
});

scene('20 Titles, devices and reasons are shown in one line, and as they are', async (t, w) => {
  for (const [number, name] of names.entries()) {
    t.say('offers/didChange', { offers: [hostile(t, name, 'o' + number)] });
    if (/^[!-~ ]*[!-~][!-~ ]*$/.test(name)) assert.deepEqual(w.status, [`⇄ ${name} from ${name}`]);
    t.say('activity/wasContinued', { uri: t.uri('plan.md'), device: name });
    t.say('activity/withheld', { uri: t.uri('plan.md'), reason: 'no: ' + name });
    t.say('connection/didChange', { connected: false, message: 'gone: ' + name });
    t.say('continuation/willContinue', { request: 'r' + number, offer: hostile(t, name) });
    const status = { arrival: 'diverged', reason: name, received: 1, expected: 2 };
    t.say('continuation/progress', { request: 'r' + number, offer: hostile(t, name), status });
    t.say('continuation/didFail', { request: 'r' + number, code: 'x', message: 'no: ' + name, shown: true });
  }
  t.say('offers/didChange', { offers: names.map((name, number) => hostile(t, name, 'o' + number)) });
  void w.execute('continuo.offers');
  await t.eventually('the list', () => w.pick);
  w.pick.choose(undefined);
  await w.execute('continuo.status');
  const all = shown(w);
  assert.ok(all.length > 6 * names.length);
  for (const text of all) isClean(text, text);
});

scene('20 A name that is no UTF-8 is refused with a sentence, and so is what is no file', async (t, w) => {
  t.write('plan.md', 'one\n');
  await t.edit('plan.md');
  for (const bytes of fixture().filter((each) => !isText(each))) {
    const uri = 'file://' + escaped(t.folder) + '/' + Array.from(bytes, (byte) => '%' + byte.toString(16).padStart(2, '0')).join('');
    const answer = await t.ask('document/restore', { request: 'r1', uri: uri.replaceAll('%2F', '/'), readOnly: false });
    assert.match(answer.message, /no file with a name in UTF-8/);
  }
  for (const uri of [t.uri('plan.md') + '%00.md', 'file:plan.md', 'plan.md', 'http://x/plan.md', '', null, 7]) {
    assert.equal((await t.ask('document/restore', { request: 'r1', uri })).opened, false);
    t.say('document/changedOnDisk', { uri, change: 'deleted' });
    t.say('document/changedOnDisk', { uri: t.uri('plan.md'), change: 'moved', newUri: uri });
  }
  assert.deepEqual([t.document.path, t.document.getText(), w.tabs.length], [t.path('plan.md'), 'one\n', 1]);
});

scene('20 What is shown is cleaned once and for all, and ordinary text stays as it is', async () => {
  const { text, label, sentence } = require('../../../Sources/Editors/continuo.vscode/lib/shown');
  const expected = {
    'é漢😀 100%.md': 'é漢😀 100%.md', 'a\nb\t\r\u2028c': 'a b   c', '\x1b[2J': '\uFFFD[2J', '\x9B': '\uFFFD',
    'a\u200Bb\uFEFF\u{E0061}': 'ab', '\u202Edm.exe': 'dm.exe', 'a\uD800b': 'a\uFFFDb', '': '',
  };
  for (const [given, found] of Object.entries(expected)) assert.deepEqual([text(given), text(text(given))], [found, found]);
  assert.ok(text('a\u0301'.repeat(9999)).length <= 4096);
  assert.equal(label('$(bug) $x (bug) \\$(a-b~spin)'), '\\$(bug) $x (bug) \\\\$(a-b~spin)');
  assert.equal(sentence('[a](command:b)'), '[a] (command:b)');
});
