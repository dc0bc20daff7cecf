import { describe, expect, test } from 'vitest';
import { commands, findConflicts } from '../../../src-renderer/context/command-catalogue.ts';
import type { Command } from '../../../src-renderer/context/commands/command.ts';
import { matchWords } from '../../../src-renderer/ui/lists/match-words.ts';
import { commandFor, keysOf, showKeys, type KeyPress } from '../../../src-renderer/context/shortcuts.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

describe('the command catalogue', () => {
  test('has no two commands for the same keys', () => {
    expect(findConflicts(commands)).toEqual([]);
  });

  test('has no two commands of the same id', () => {
    expect(new Set(commands.map((command) => command.id)).size).toBe(commands.length);
  });

  test('a conflict would be found: on one screen, between a screen and its list, and with global commands', () => {
    const command = (id: string, scope: Command['scope']): Command => ({
      id,
      title: id,
      group: 'View',
      scope,
      shortcuts: ['X'],
    });
    expect(findConflicts([command('a', 'everywhere'), command('b', 'tokens')])).toHaveLength(1);
    expect(findConflicts([command('a', 'measurements'), command('b', 'list')])).toHaveLength(1);
    expect(findConflicts([command('a', 'measurements'), command('b', 'tokens')])).toEqual([]);
  });
});

describe('keys', () => {
  test('are read equally on every keyboard', () => {
    expect(keysOf(press('k', { ctrlKey: true }), false)).toBe('Mod+K');
    expect(keysOf(press('k', { metaKey: true }), true)).toBe('Mod+K');
    expect(keysOf(press('k', { ctrlKey: true }), true)).toBe('Other+K');
    expect(keysOf(press('N', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+N');
    expect(keysOf(press('?', { shiftKey: true }), false)).toBe('?');
    expect(keysOf(press('ArrowDown', { shiftKey: true }), false)).toBe('Shift+ArrowDown');
    expect(keysOf(press(' '), false)).toBe('Space');
  });

  test('find their command, and nothing with another modifier', () => {
    expect(commandFor(commands, press('?', { shiftKey: true }), false)?.id).toBe('show-shortcuts');
    expect(commandFor(commands, press('v'), false)?.id).toBe('verify');
    expect(commandFor(commands, press('v', { ctrlKey: true }), false)).toBeUndefined();
    expect(commandFor(commands, press('v', { altKey: true }), false)).toBeUndefined();
  });

  test('are displayed as each system writes them', () => {
    expect(showKeys('Mod+Shift+N', false)).toBe('Ctrl Shift N');
    expect(showKeys('Mod+Shift+N', true)).toBe('⌘⇧N');
  });
});

test('the palette finds commands by the beginnings of words', () => {
  expect(matchWords('Measurements Copy curl line', 'cu li')).toBe(true);
  expect(matchWords('Measurements Copy curl line', 'c')).toBe(true);
  expect(matchWords('Measurements Copy curl line', 'sums')).toBe(false);
  expect(matchWords('Tokens Create a token', '')).toBe(true);
});
