import { CircleCheck, EyeOff, Merge, RotateCcw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { commands as catalogue, type CommandId } from '../../../context/command-catalogue.ts';
import { useApp } from '../../../context/context.ts';
import { showKeys } from '../../../context/shortcuts.ts';
import { MenuEntries, type MenuEntry } from '../../../ui/controls/menu.tsx';

const changes: readonly { readonly id: CommandId; readonly icon: ReactNode; readonly danger?: true }[] = [
  { id: 'resolve-error', icon: <CircleCheck /> },
  { id: 'ignore-error', icon: <EyeOff /> },
  { id: 'reopen-error', icon: <RotateCcw /> },
  { id: 'merge-errors', icon: <Merge /> },
  { id: 'delete-error', icon: <Trash2 />, danger: true },
];

/** Actions available for the selected errors, with titles and shortcuts of the catalogue. */
export function errorMenu(handlers: ReadonlyMap<CommandId, () => void>, onMac: boolean): MenuEntry[] {
  return changes.flatMap(({ id, icon, danger = false }): MenuEntry[] => {
    const command = catalogue.find((one) => one.id === id);
    const run = handlers.get(id);
    const keys = command?.shortcuts[0];
    if (command === undefined || run === undefined) return [];
    return [
      {
        kind: 'item',
        id,
        label: command.title,
        icon,
        danger,
        run,
        ...(keys === undefined ? {} : { shortcut: showKeys(keys, onMac) }),
      },
    ];
  });
}

/** The selected errors' actions as a context menu of the list. */
export function ErrorMenu() {
  const { commands, onMac } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  return <MenuEntries entries={errorMenu(handlers, onMac)} />;
}
