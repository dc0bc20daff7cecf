import type { CommandId } from '../../context/command-catalogue.ts';

const destructive: ReadonlySet<CommandId> = new Set<CommandId>([
  'remove',
  'stop-fetch',
  'remove-fetch',
  'remove-server',
  'delete-error',
  'merge-errors',
  'rotate-client-key',
  'rotate-token',
  'revoke-token',
  'renew-secret',
  'delete-application',
  'remove-notification-rule',
]);

/** Whether a command destroys something. */
export const destroys = (id: CommandId): boolean => destructive.has(id);

/** Moves destructive commands to the end; otherwise the order stays. */
export function destroyersLast<Entry extends { readonly destroys: boolean }>(entries: readonly Entry[]): Entry[] {
  return [...entries.filter((entry) => !entry.destroys), ...entries.filter((entry) => entry.destroys)];
}
