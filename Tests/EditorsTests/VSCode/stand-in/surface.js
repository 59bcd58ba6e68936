// SPDX-License-Identifier: MIT
// What the workbench shows beside the text: status bar, notifications, progress, picks, output; and its settings. It
// reads icons and links in texts as the editor does, so that tests see what a name would become.
'use strict';

const fs = require('fs');
const nodePath = require('path');
const { guard, options } = require('./guard');
const { settings } = require('./members');
const { Emitter } = require('./values');

const icons = /(\\)?\$\(([a-z0-9-]+(?:~[a-z]+)?)\)/gi;
const links = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)\3)?\)/gi;

/** A text with icons, as it is shown; `found` gets the names of the icons. */
function rendered(text, found = []) {
  return text.replace(icons, (whole, escape, name) => {
    if (escape) return whole.slice(1);
    found.push(name);
    return '';
  });
}

const manifest = JSON.parse(fs.readFileSync(
  nodePath.join(__dirname, '../../../../Sources/Editors/continuo.vscode/package.json'), 'utf8'));
const own = manifest.contributes.configuration.properties;
const contributed = new Set(manifest.contributes.commands.map((each) => each.command));

class Surface {
  constructor({ userSettings = {}, workspaceSettings = {} }) {
    this.userSettings = { 'files.saveConflictResolution': 'askUser', ...userSettings };
    this.workspaceSettings = workspaceSettings;
    this.didConfigure = new Emitter();
    this.notifications = [];
    this.statusItems = [];
    this.waits = [];
    this.channels = [];
    this.pick = undefined;
    this.picks = [];
    /** What would stand in front of everything, and take the keys: there is to be none. */
    this.dialogs = [];
    /** Names that became icons or links. */
    this.icons = [];
    this.links = [];
    this.registered = new Map();
    this.executed = [];
    this.focus = 'editor';
    /** Called when anything is to be drawn anew. */
    this.onChange = () => {};
  }

  // MARK: Settings

  /** A workspace sets nothing of a machine's. */
  value(name) {
    const isMachines = own[name]?.scope === 'machine';
    if (!isMachines && name in this.workspaceSettings) return this.workspaceSettings[name];
    return this.userSettings[name] ?? own[name]?.default ?? settings.get(name)?.standard;
  }

  configuration(section) {
    return guard('WorkspaceConfiguration', {
      get: (key, standard) => {
        const name = section + '.' + key;
        if (!own[name] && !settings.has(name)) throw new Error('the stand-in knows no setting ' + name);
        return this.value(name) ?? standard;
      },
    });
  }

  configure(name, value) {
    this.userSettings[name] = value;
    this.didConfigure.fire(guard('ConfigurationChangeEvent', {
      affectsConfiguration: (section) => name === section || name.startsWith(section + '.'),
    }));
  }

  // MARK: Notifications

  /** Takes no focus; stays until a button is pressed or it is put away. */
  notify(severity, message, ...buttons) {
    for (const link of message.matchAll(links)) this.links.push(link[2]);
    return new Promise((resolve) => {
      const notification = {
        severity, text: message.replace(links, '$1'), buttons, isThere: true,
        press: (button) => {
          if (button !== undefined && !buttons.includes(button)) throw new Error('no button ' + button);
          notification.isThere = false;
          this.onChange();
          resolve(button);
        },
      };
      this.notifications.push(notification);
      this.onChange();
    });
  }

  /** The last one that has this button. */
  notification(button) { return this.notifications.filter((each) => each.isThere && each.buttons.includes(button)).at(-1); }

  get told() { return this.notifications.map((each) => each.text); }

  // MARK: The status bar

  statusItem() {
    const surface = this;
    const item = {
      name: undefined, text: '', tooltip: undefined, command: undefined, isShown: false,
      show() {
        item.isShown = true;
        rendered(item.text, surface.icons);
        surface.onChange();
      },
      hide() {
        item.isShown = false;
        surface.onChange();
      },
      dispose() {
        item.isShown = false;
        surface.statusItems = surface.statusItems.filter((each) => each !== item);
      },
    };
    this.statusItems.push(item);
    return guard('StatusBarItem', item);
  }

  get status() { return this.statusItems.filter((item) => item.isShown).map((item) => rendered(item.text)); }

  /** A click on the item. */
  click(name) {
    const item = this.statusItems.find((each) => each.isShown && each.name === name);
    return this.execute(item.command);
  }

  // MARK: Progress

  progress(given, task) {
    const { title, cancellable } = options('ProgressOptions', given);
    for (const link of title.matchAll(links)) this.links.push(link[2]);
    const cancelled = new Emitter();
    const wait = {
      title, message: '', share: 0, isCancellable: cancellable === true, isThere: true, cancel: () => cancelled.fire(),
    };
    this.waits.push(wait);
    this.onChange();
    const progress = guard('Progress', {
      report: ({ message, increment }) => {
        for (const link of message.matchAll(links)) this.links.push(link[2]);
        wait.message = message;
        wait.share += increment;
        this.onChange();
      },
    });
    const token = guard('CancellationToken', { onCancellationRequested: cancelled.event });
    return task(progress, token).then((result) => {
      wait.isThere = false;
      this.onChange();
      return result;
    });
  }

  // MARK: Picks

  /** Takes the focus until something is chosen. */
  quickPick(items, given) {
    const { placeHolder } = options('QuickPickOptions', given);
    const labels = items.map((item) => rendered(typeof item === 'string' ? item : item.label, this.icons));
    this.picks.push({ placeHolder, labels });
    return new Promise((resolve) => {
      const before = this.focus;
      this.focus = 'pick';
      this.pick = {
        placeHolder, labels,
        choose: (index) => {
          this.pick = undefined;
          this.focus = before;
          this.onChange();
          resolve(index === undefined ? undefined : items[index]);
        },
        chooseLabel: (start) => this.pick.choose(labels.findIndex((label) => label.startsWith(start))),
      };
      this.onChange();
    });
  }

  // MARK: Output

  channel(name) {
    const channel = { name, lines: [], isShown: false };
    this.channels.push(channel);
    return guard('OutputChannel', {
      appendLine: (line) => channel.lines.push(line), clear: () => { channel.lines.length = 0; },
      show: (preservesFocus) => {
        channel.isShown = true;
        if (!preservesFocus) this.focus = 'output';
        this.onChange();
      },
      dispose: () => { this.channels = this.channels.filter((each) => each !== channel); },
    });
  }

  // MARK: Commands

  /** What the extension registers has to be in its manifest, or nobody finds it. */
  register(name, run) {
    if (!contributed.has(name)) throw new Error(name + ' is not in package.json');
    if (this.registered.has(name)) throw new Error(`command '${name}' already exists`);
    this.registered.set(name, run);
    return { dispose: () => this.registered.delete(name) };
  }

  execute(name, ...given) {
    const run = this.registered.get(name);
    if (!run) return Promise.reject(new Error(`command '${name}' not found`));
    return Promise.resolve().then(() => run(...given));
  }
}

module.exports = { Surface, rendered, contributed, manifest };
