// SPDX-License-Identifier: MIT
// Messages as the Language Server Protocol frames them.
'use strict';

const limits = { headers: 8 * 1024, content: 64 * 1024 * 1024 };

/**
 * @param {object} message
 */
function encode(message) {
  const content = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${content.length}\r\n\r\n`, 'latin1'), content]);
}

class Framing {
  /**
   * @param {(message: any) => void} hear
   * @param {(reason: string) => void} fail called once, after which nothing is heard
   */
  constructor(hear, fail) {
    this.hear = hear;
    this.fail = fail;
    /** @type {Buffer[]} */
    this.pieces = [];
    this.held = 0;
    // How many bytes there have to be before it is worth looking again.
    this.wanted = 0;
    this.isBroken = false;
  }

  /**
   * @param {Buffer} bytes
   */
  feed(bytes) {
    if (this.isBroken) return;
    this.pieces.push(bytes);
    this.held += bytes.length;
    while (!this.isBroken && this.held >= this.wanted && this.held > 0) {
      const all = Buffer.concat(this.pieces);
      const rest = this.take(all);
      this.pieces = rest ? [rest] : [all];
      this.held = this.pieces[0].length;
      if (!rest) return;
    }
  }

  /**
   * What follows the first message; undefined while that is not whole.
   * @param {Buffer} all
   */
  take(all) {
    const end = all.indexOf('\r\n\r\n');
    if (end < 0) {
      if (all.length > limits.headers) this.end('its headers have no end');
      this.wanted = all.length + 1;
      return undefined;
    }
    const match = /(?:^|\r\n)content-length: *(\d+) *(?:\r\n|$)/i.exec(all.toString('latin1', 0, end));
    const length = match ? Number(match[1]) : NaN;
    if (!(length <= limits.content)) return this.end('what it says is no message');
    const whole = end + 4 + length;
    this.wanted = whole;
    if (all.length < whole) return undefined;
    this.wanted = 0;
    let message;
    try {
      message = JSON.parse(all.toString('utf8', end + 4, whole));
    } catch {
      return this.end('what it says is no JSON');
    }
    this.hear(message);
    return all.subarray(whole);
  }

  /**
   * @param {string} reason
   */
  end(reason) {
    this.isBroken = true;
    this.fail(reason);
    return undefined;
  }
}

module.exports = { Framing, encode };
