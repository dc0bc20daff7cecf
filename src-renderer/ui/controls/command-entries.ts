import type { ReactNode } from 'react';
import { commands as catalogue, type CommandId } from '../../context/command-catalogue.ts';
import { showKeys } from '../../context/shortcuts.ts';
import type { MenuEntry } from './menu.tsx';

/** A command in a menu. */
export interface CommandInMenu {
  readonly id: CommandId;
  readonly icon: ReactNode;
  readonly danger?: boolean;
  /** For one of several choices: whether it is the current one. */
  readonly checked?: boolean;
}

/**
 * Groups of commands as entries of a menu, with titles and shortcuts of the catalogue and a line
 * between two groups. Commands without a handler are left out.
 */
export function commandEntries(
  handlers: ReadonlyMap<CommandId, () => void>,
  onMac: boolean,
  groups: readonly (readonly CommandInMenu[])[],
): MenuEntry[] {
  const entryOf = ({ id, ...look }: CommandInMenu): MenuEntry[] => {
    const command = catalogue.find((one) => one.id === id);
    const run = handlers.get(id);
    const keys = command?.shortcuts[0];
    if (command === undefined || run === undefined) return [];
    const shortcut = keys === undefined ? {} : { shortcut: showKeys(keys, onMac) };
    return [{ kind: 'item', id, label: command.title, run, ...look, ...shortcut }];
  };
  return groups
    .map((group) => group.flatMap(entryOf))
    .filter((group) => group.length > 0)
    .flatMap((group, at) => (at === 0 ? group : [{ kind: 'line' as const, id: `line-${at}` }, ...group]));
}
