import {
  ArrowDown,
  ArrowDownToLine,
  ArrowUp,
  ArrowUpToLine,
  Ban,
  FolderOpen,
  Pause,
  Play,
  RotateCw,
  ShieldCheck,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { commands as catalogue, type CommandId } from '../../../context/command-catalogue.ts';
import { useApp } from '../../../context/context.ts';
import { showKeys } from '../../../context/shortcuts.ts';
import { MenuEntries, type MenuEntry } from '../../../ui/controls/menu.tsx';
import { useTransferTargets, type TransferTargetProps } from './transfer-commands.ts';

const groups: readonly (readonly {
  readonly id: CommandId;
  readonly icon: ReactNode;
  readonly danger?: true;
  readonly priority?: number;
}[])[] = [
  [
    { id: 'pause-fetch', icon: <Pause /> },
    { id: 'resume-fetch', icon: <Play /> },
    { id: 'retry-fetch', icon: <RotateCw /> },
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

/**
 * Actions available for the selected transfers, with titles and shortcuts of the catalogue.
 * `priority` is the one that all of them share.
 */
export function transferMenu(
  handlers: ReadonlyMap<CommandId, () => void>,
  onMac: boolean,
  priority: number | null,
): MenuEntry[] {
  const shown = groups
    .map((group) =>
      group.flatMap((one): MenuEntry[] => {
        const command = catalogue.find(({ id }) => id === one.id);
        const run = handlers.get(one.id);
        const keys = command?.shortcuts[0];
        if (command === undefined || run === undefined) return [];
        return [
          {
            kind: 'item',
            id: one.id,
            label: command.title,
            icon: one.icon,
            danger: one.danger ?? false,
            run,
            ...(one.priority === undefined ? {} : { checked: one.priority === priority }),
            ...(keys === undefined ? {} : { shortcut: showKeys(keys, onMac) }),
          },
        ];
      }),
    )
    .filter((group) => group.length > 0);
  return shown.flatMap((group, at) => (at === 0 ? group : [{ kind: 'line' as const, id: `line-${at}` }, ...group]));
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
