// SPDX-License-Identifier: MIT
// What is offered and awaited, shown without taking focus or keys: an item of the status bar, a notification for each
// offer, and the progress of what is awaited.
'use strict';

const vscode = require('vscode');
const settings = require('./settings');
const shown = require('./shown');

/** @type {import('vscode').StatusBarItem | undefined} */
let item;
const state = {
  /** @type {string | undefined} */
  text: undefined,
};

/**
 * One line in the status bar; a click on it runs the command.
 * @param {string} text
 * @param {string} command
 */
function show(text, command) {
  state.text = shown.text(text);
  if (settings.prompt() === 'off') return hide();
  item ??= vscode.window.createStatusBarItem('continuo.offers', vscode.StatusBarAlignment.Left, 0);
  item.name = 'Continuo: offers';
  item.text = shown.label(text);
  item.tooltip = state.text;
  item.command = command;
  item.show();
}

function hide() {
  state.text = undefined;
  item?.hide();
}

/**
 * A wait that is shown until `end` is called.
 */
class Waiting {
  /**
   * @param {string} title
   * @param {() => void} cancel
   */
  constructor(title, cancel) {
    /** @type {() => void} */
    this.end = () => {};
    /** @type {import('vscode').Progress<{ message?: string, increment?: number }> | undefined} */
    this.progress = undefined;
    this.told = '';
    this.share = 0;
    void vscode.window.withProgress({
      location: vscode.ProgressLocation.Notification, title: shown.sentence(title), cancellable: true,
    }, (progress, token) => {
      this.progress = progress;
      token.onCancellationRequested(cancel);
      return new Promise((resolve) => { this.end = () => resolve(undefined); });
    });
  }

  /**
   * @param {string} message
   * @param {number} share of a hundred
   */
  report(message, share) {
    if (message === this.told && share <= this.share) return;
    const increment = Math.max(0, share - this.share);
    this.told = message;
    this.share = Math.max(share, this.share);
    this.progress?.report({ message: shown.sentence(message), increment });
  }
}

function end() {
  item?.dispose();
  item = undefined;
  state.text = undefined;
}

module.exports = { state, show, hide, Waiting, end };
