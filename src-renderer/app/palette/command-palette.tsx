import { useNavigate, useParams } from '@tanstack/react-router';
import { CornerDownLeft, Search } from 'lucide-react';
import { Dialog as Base } from '@base-ui/react/dialog';
import { useEffect, useId, useMemo, useState } from 'react';
import dialogStyles from '../../ui/dialogs/dialog.module.css';
import { commands as catalogue } from '../../context/command-catalogue.ts';
import styles from './command-palette.module.css';
import { useApp } from '../../context/context.ts';
import { matchWords } from '../../ui/lists/match-words.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { usePaletteFound } from './palette-found.tsx';
import { destroyersLast, destroys } from './palette-order.ts';
import { showKeys } from '../../context/shortcuts.ts';
import { usePossibleCommands, useRunCommand } from '../../context/use-run-command.ts';

const recentShown = 6;
const nothing =
  'Nothing found. The palette looks for screens, actions, measurements, projects, errors, tokens, applications and users.';

/** Commands and measurements by a few typed letters. */
export function CommandPalette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={dialogStyles['backdrop']} />
        <Base.Popup className={styles['popup']} aria-label="Commands and measurements">
          <PaletteBody onClose={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function PaletteBody({ onClose }: { readonly onClose: () => void }) {
  const { onMac, recent } = useApp();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  // Later results move entries; the mark stays on its entry.
  const [active, setActive] = useState<string | null>(null);
  const { isHere, can } = usePossibleCommands();
  const run = useRunCommand();
  const { found, isSearching } = usePaletteFound(typed);
  const { measurementId } = useParams({ strict: false });
  // The recent entries are those at opening: an entry must not move while the user aims at it.
  const [lately] = useState(() => recent.getState().list);
  const listId = useId();

  const entries = useMemo<PaletteEntry[]>(() => {
    const entryOf = (command: (typeof catalogue)[number], group: string): PaletteEntry => ({
      id: command.id,
      destroys: destroys(command.id),
      group,
      title: command.title,
      more:
        command.shortcuts[0] === undefined || !isHere(command.id) ? null : (
          <kbd>{showKeys(command.shortcuts[0], onMac)}</kbd>
        ),
      run: () => {
        recent.getState().add({ kind: 'command', id: command.id });
        run(command.id);
      },
    });
    const openMeasurement = (id: string) => (): void =>
      void navigate({ to: '/measurements/$measurementId', params: { measurementId: id } });
    const possible = catalogue.filter(
      (command) => command.group !== 'List' && command.id !== 'open-palette' && can(command.id),
    );
    const before: PaletteEntry[] =
      typed.trim() === ''
        ? lately
            .flatMap((one): PaletteEntry[] => {
              if (one.kind === 'command')
                return possible.filter(({ id }) => id === one.id).map((command) => entryOf(command, 'Recent'));
              if (one.id === measurementId) return [];
              const more = one.title === one.id ? null : <span>{one.title}</span>;
              return [
                {
                  id: `measurement-${one.id}`,
                  group: 'Recent',
                  title: one.id,
                  more,
                  destroys: false,
                  run: openMeasurement(one.id),
                },
              ];
            })
            .slice(0, recentShown)
        : [];
    const offered = possible
      .filter(
        (command) =>
          matchWords(`${command.group} ${command.title}`, typed) && before.every(({ id }) => id !== command.id),
      )
      .map((command) => entryOf(command, command.group));
    return [...before, ...destroyersLast([...offered, ...found])];
  }, [typed, isHere, can, run, found, lately, measurementId, recent, onMac, navigate]);

  const current = Math.max(
    0,
    entries.findIndex(({ id }) => id === active),
  );
  useEffect(() => {
    document.querySelector(`#${CSS.escape(`${listId}-${current}`)}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, current]);

  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    // The dialog restores the focus first, so that the command's own dialog can take it.
    setTimeout(entry.run, 0);
  };

  return (
    <>
      <div className={styles['head']}>
        <Search aria-hidden />
        <input
          role="combobox"
          aria-label="Command or measurement"
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-activedescendant={entries[current] === undefined ? undefined : `${listId}-${current}`}
          placeholder="Type a command, or part of a name"
          value={typed}
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault();
              const step = event.key === 'ArrowDown' ? 1 : -1;
              setActive(entries[(current + step + entries.length) % Math.max(1, entries.length)]?.id ?? null);
            }
            if (event.key === 'Enter') {
              event.preventDefault();
              choose(entries[current]);
            }
          }}
        />
      </div>
      <ul id={listId} role="listbox" aria-label="Commands" className={styles['list']}>
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === current}
            className={styles['entry']}
            onPointerMove={() => setActive(entry.id)}
            onClick={() => choose(entry)}
            onKeyDown={() => undefined}
          >
            <span className={styles['group']}>{entry.group}</span>
            <span className={styles['name']}>{entry.title}</span>
            <span className={styles['more']}>
              {index === current && entry.more === null ? <CornerDownLeft aria-hidden /> : entry.more}
            </span>
          </li>
        ))}
      </ul>
      {entries.length === 0 ? <p className={styles['none']}>{isSearching ? 'Searching' : nothing}</p> : null}
    </>
  );
}
