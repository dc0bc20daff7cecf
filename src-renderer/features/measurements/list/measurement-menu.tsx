import {
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
import { commands as catalogue, type CommandId } from '../../../context/command-catalogue.ts';
import { useApp } from '../../../context/context.ts';
import { showKeys } from '../../../context/shortcuts.ts';
import { MenuEntries, type MenuEntry } from '../../../ui/controls/menu.tsx';

const icons: Partial<Record<CommandId, React.ReactNode>> = {
  'copy-url': <Link2 />,
  'copy-curl': <SquareTerminal />,
  'copy-manifest-url': <FileCheck2 />,
  'copy-checksums': <ListChecks />,
  grant: <UserPlus />,
  verify: <ShieldCheck />,
  export: <FolderOutput />,
  rename: <Pencil />,
  remove: <Trash2 />,
  'register-folder': <Folder />,
};

const copies = ['copy-url', 'copy-curl', 'copy-manifest-url', 'copy-checksums'] as const satisfies readonly CommandId[];
const work = ['grant', 'verify', 'export', 'rename'] as const satisfies readonly CommandId[];

/**
 * Actions available for measurements, with titles and shortcuts of the catalogue. Unavailable ones
 * are left out.
 */
export function measurementMenu(
  handlers: ReadonlyMap<CommandId, () => void>,
  onMac: boolean,
  which: 'all' | 'copies' | 'rest',
): MenuEntry[] {
  const entry = (id: CommandId, danger = false): MenuEntry[] => {
    const command = catalogue.find((one) => one.id === id);
    const run = handlers.get(id);
    if (command === undefined || run === undefined) return [];
    const keys = command.shortcuts[0];
    return [
      {
        kind: 'item',
        id,
        label: command.title,
        icon: icons[id],
        danger,
        run,
        ...(keys === undefined ? {} : { shortcut: showKeys(keys, onMac) }),
      },
    ];
  };
  const copying = which === 'rest' ? [] : copies.flatMap((id) => entry(id));
  const working = which === 'copies' ? [] : work.flatMap((id) => entry(id));
  const removing = which === 'copies' ? [] : entry('remove', true);
  const groups = [copying, working, removing].filter((group) => group.length > 0);
  return groups.flatMap((group, position) =>
    position === 0 ? group : [{ kind: 'line' as const, id: `line-${position}` }, ...group],
  );
}

/** The actions of the bar for several selected measurements. */
export function bulkMeasurementActions(handlers: ReadonlyMap<CommandId, () => void>): MenuEntry[] {
  const words = {
    grant: 'Grant access…',
    'copy-url': 'Copy URLs',
    verify: 'Verify',
    export: 'Export…',
    remove: 'Remove…',
  } as const;
  return (['grant', 'copy-url', 'verify', 'export', 'remove'] as const).flatMap((id) => {
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
