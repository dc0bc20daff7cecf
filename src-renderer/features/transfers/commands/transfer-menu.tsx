import {
  ArrowDown,
  ArrowDownToLine,
  ArrowUp,
  ArrowUpToLine,
  Ban,
  CopyPlus,
  FolderOpen,
  Pause,
  Play,
  RotateCw,
  ShieldCheck,
  Trash2,
} from 'lucide-react';
import { useStore } from 'zustand';
import { type CommandId } from '../../../context/command-catalogue.ts';
import { useApp } from '../../../context/context.ts';
import { MenuEntries, type MenuEntry } from '../../../ui/controls/menu.tsx';
import { useTransferTargets, type TransferTargetProps } from './transfer-commands.ts';
import { commandEntries, type CommandInMenu } from '../../../ui/controls/command-entries.ts';

const groups: readonly (readonly (CommandInMenu & { readonly priority?: number })[])[] = [
  [
    { id: 'pause-fetch', icon: <Pause /> },
    { id: 'resume-fetch', icon: <Play /> },
    { id: 'retry-fetch', icon: <RotateCw /> },
    { id: 'keep-both-fetch', icon: <CopyPlus /> },
    { id: 'verify-fetch', icon: <ShieldCheck /> },
    { id: 'show-fetch-folder', icon: <FolderOpen /> },
  ],
  [
    { id: 'fetch-first', icon: <ArrowUpToLine /> },
    { id: 'fetch-earlier', icon: <ArrowUp /> },
    { id: 'fetch-later', icon: <ArrowDown /> },
    { id: 'fetch-last', icon: <ArrowDownToLine /> },
  ],
  [
    { id: 'fetch-urgent', icon: null, priority: 1 },
    { id: 'fetch-usual', icon: null, priority: 0 },
    { id: 'fetch-idle', icon: null, priority: -1 },
  ],
  [
    { id: 'stop-fetch', icon: <Ban /> },
    { id: 'remove-fetch', icon: <Trash2 />, danger: true },
  ],
];

/** Actions available for the selected transfers. `priority` is the one that all of them share. */
export function transferMenu(
  handlers: ReadonlyMap<CommandId, () => void>,
  onMac: boolean,
  priority: number | null,
): MenuEntry[] {
  const shown = groups.map((group) =>
    group.map(({ priority: own, ...one }) => (own === undefined ? one : { ...one, checked: own === priority })),
  );
  return commandEntries(handlers, onMac, shown);
}

/** The selected transfers' actions as a context menu of the list. */
export function TransferMenu(which: TransferTargetProps) {
  const { commands, onMac } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  const priorities = new Set(useTransferTargets(which).map(({ priority }) => priority));
  return (
    <MenuEntries entries={transferMenu(handlers, onMac, priorities.size === 1 ? ([...priorities][0] ?? null) : null)} />
  );
}
