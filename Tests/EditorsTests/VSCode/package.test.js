// SPDX-License-Identifier: MIT
// The package that the editor installs.
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const nodePath = require('path');
const { test } = require('node:test');
const { extension } = require('./harness');

test('The package holds the extension, has the same bytes twice, and loads by itself', () => {
  const folder = fs.mkdtempSync(nodePath.join(os.tmpdir(), 'continuo-vsix-'));
  try {
    const packed = ['one', 'two'].map((name) => {
      const path = nodePath.join(folder, name + '.vsix');
      execFileSync(extension + '/pack.py', [path], { env: { ...process.env, TZ: name === 'one' ? 'UTC' : 'Asia/Tokyo' } });
      return fs.readFileSync(path);
    });
    assert.ok(packed[0].equals(packed[1]));
    const unpack = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])';
    execFileSync('/usr/bin/python3', ['-c', unpack, folder + '/one.vsix', folder + '/out']);
    const there = fs.readdirSync(folder + '/out/extension/lib').sort();
    assert.deepEqual(there, fs.readdirSync(extension + '/lib').sort());
    for (const name of ['package.json', 'extension.js', 'README.md']) {
      assert.deepEqual(fs.readFileSync(`${folder}/out/extension/${name}`), fs.readFileSync(`${extension}/${name}`));
    }
    assert.match(fs.readFileSync(folder + '/out/extension/LICENSE.txt', 'utf8'), /MIT/);
    const { main, version } = JSON.parse(fs.readFileSync(folder + '/out/extension/package.json', 'utf8'));
    assert.ok(fs.existsSync(nodePath.join(folder, 'out/extension', main)));
    const wellFormed = 'import sys, xml.dom.minidom as m; [m.parse(each) for each in sys.argv[1:]]';
    const parts = ['[Content_Types].xml', 'extension.vsixmanifest'].map((name) => `${folder}/out/${name}`);
    execFileSync('/usr/bin/python3', ['-c', wellFormed, ...parts]);
    assert.ok(fs.readFileSync(parts[1], 'utf8').includes(`Version="${version}"`));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
