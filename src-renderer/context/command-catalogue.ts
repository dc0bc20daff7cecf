import { applicationCommands, notificationCommands, tokenCommands, userCommands } from './commands/access-commands.ts';
import type { Command, CommandScope } from './commands/command.ts';
import { errorCommands, projectCommands } from './commands/error-commands.ts';
import { listCommands } from './commands/list-commands.ts';
import { measurementCommands } from './commands/measurement-commands.ts';
import { navigationCommands, viewCommands } from './commands/navigation-commands.ts';
import { captureCommands, serverCommands, transferCommands } from './commands/transfer-commands.ts';

/**
 * All commands. The palette, the shortcuts, their help and the window's menu are generated from
 * this list.
 */
const commandCatalogue = [
  ...navigationCommands,
  ...viewCommands,
  ...measurementCommands,
  ...transferCommands,
  ...captureCommands,
  ...serverCommands,
  ...errorCommands,
  ...projectCommands,
  ...tokenCommands,
  ...applicationCommands,
  ...userCommands,
  ...notificationCommands,
  ...listCommands,
];

export type CommandId = (typeof commandCatalogue)[number]['id'];

/** The catalogue widened to `Command`, so that optional members can be read from every entry. */
export const commands: readonly (Command & { readonly id: CommandId })[] = commandCatalogue;

/** Whether two scopes can be active at the same time, so that one shortcut would be ambiguous. */
function scopesOverlap(one: CommandScope, other: CommandScope): boolean {
  const anywhere = (scope: CommandScope): boolean => scope === 'everywhere' || scope === 'list';
  return anywhere(one) || anywhere(other) || one === other;
}

/** Pairs of commands that share a shortcut in scopes that overlap. */
export function findConflicts(
  list: readonly Command[],
): { readonly keys: string; readonly ids: readonly [string, string] }[] {
  return list.flatMap((command, position) =>
    list
      .slice(position + 1)
      .filter((other) => scopesOverlap(command.scope, other.scope))
      .flatMap((other) =>
        command.shortcuts
          .filter((keys) => other.shortcuts.includes(keys))
          .map((keys) => ({ keys, ids: [command.id, other.id] as const })),
      ),
  );
}
