import { CircleCheck, EyeOff, Merge, RotateCcw, Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import { type CommandId } from '../../../context/command-catalogue.ts';
import { useApp } from '../../../context/context.ts';
import { MenuEntries, type MenuEntry } from '../../../ui/controls/menu.tsx';
import { commandEntries, type CommandInMenu } from '../../../ui/controls/command-entries.ts';

const changes: readonly CommandInMenu[] = [
  { id: 'resolve-error', icon: <CircleCheck /> },
  { id: 'ignore-error', icon: <EyeOff /> },
  { id: 'reopen-error', icon: <RotateCcw /> },
  { id: 'merge-errors', icon: <Merge /> },
  { id: 'delete-error', icon: <Trash2 />, danger: true },
];

/** Actions available for the selected errors. */
export function errorMenu(handlers: ReadonlyMap<CommandId, () => void>, onMac: boolean): MenuEntry[] {
  return commandEntries(handlers, onMac, [changes]);
}

/** The selected errors' actions as a context menu of the list. */
export function ErrorMenu() {
  const { commands, onMac } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  return <MenuEntries entries={errorMenu(handlers, onMac)} />;
}
