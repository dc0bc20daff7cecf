import {
  CopyCheck,
  FileCheck2,
  Folder,
  FolderOutput,
  Link2,
  ListChecks,
  Pencil,
  ShieldCheck,
  SquareTerminal,
  Trash2,
  UserPlus,
} from 'lucide-react';
import { useStore } from 'zustand';
import { type CommandId } from '../../../context/command-catalogue.ts';
import { useApp } from '../../../context/context.ts';
import { MenuEntries, type MenuEntry } from '../../../ui/controls/menu.tsx';
import { type CommandInMenu, commandEntries } from '../../../ui/controls/command-entries.ts';

const icons: Partial<Record<CommandId, React.ReactNode>> = {
  'copy-url': <Link2 />,
  'copy-curl': <SquareTerminal />,
  'copy-manifest-url': <FileCheck2 />,
  'copy-checksums': <ListChecks />,
  grant: <UserPlus />,
  'keep-copy': <CopyCheck />,
  verify: <ShieldCheck />,
  export: <FolderOutput />,
  rename: <Pencil />,
  remove: <Trash2 />,
  'register-folder': <Folder />,
};

const copies = ['copy-url', 'copy-curl', 'copy-manifest-url', 'copy-checksums'] as const satisfies readonly CommandId[];
const work = ['grant', 'keep-copy', 'verify', 'export', 'rename'] as const satisfies readonly CommandId[];

/** Actions available for measurements. */
export function measurementMenu(
  handlers: ReadonlyMap<CommandId, () => void>,
  onMac: boolean,
  which: 'all' | 'copies' | 'rest',
): MenuEntry[] {
  const inMenu = (id: CommandId): CommandInMenu => ({ id, icon: icons[id] });
  const working = [work.map(inMenu), [{ ...inMenu('remove'), danger: true }]];
  const groups = [...(which === 'rest' ? [] : [copies.map(inMenu)]), ...(which === 'copies' ? [] : working)];
  return commandEntries(handlers, onMac, groups);
}

/** The actions of the bar for several selected measurements. */
export function bulkMeasurementActions(handlers: ReadonlyMap<CommandId, () => void>): MenuEntry[] {
  const words = {
    grant: 'Grant access…',
    'keep-copy': 'Keep a copy…',
    'copy-url': 'Copy URLs',
    verify: 'Verify',
    export: 'Export…',
    remove: 'Remove…',
  } as const;
  return (['grant', 'keep-copy', 'copy-url', 'verify', 'export', 'remove'] as const).flatMap((id) => {
    const run = handlers.get(id);
    return run === undefined ? [] : [{ kind: 'item' as const, id, label: words[id], icon: icons[id], run }];
  });
}

/** The whole menu, for the selected rows. */
export function MeasurementMenu() {
  const { commands, onMac } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  return <MenuEntries entries={measurementMenu(handlers, onMac, 'all')} />;
}
