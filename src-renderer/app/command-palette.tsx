import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { CornerDownLeft, Search } from 'lucide-react';
import { Dialog as Base } from '@base-ui/react/dialog';
import { useDeferredValue, useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import { formatBytes } from '../ui/format/quantities.ts';
import dialogStyles from '../ui/dialog.module.css';
import { commands as catalogue } from './command-catalogue.ts';
import styles from './command-palette.module.css';
import { useApp, useSession, useUnits } from './context.ts';
import { matchWords } from './match-words.ts';
import { showKeys } from './shortcuts.ts';
import { usePossibleCommands, useRunCommand } from './use-run-command.ts';

const recentShown = 6;
const tokensShown = 5;

interface Entry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly more: ReactNode;
  readonly run: () => void;
}

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
  const { onMac, queries, recent } = useApp();
  const units = useUnits();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const { isHere, can } = usePossibleCommands();
  const run = useRunCommand();
  const search = useDeferredValue(typed.trim());
  const found = useQuery({ ...queries.measurementPage({ search, sort: 'created_at', order: 'desc' }, 0), enabled: search.length > 1 });
  const tokens = useQuery({ ...queries.tokens(useSession().user?.id ?? 0), enabled: search.length > 1 });
  const { measurementId } = useParams({ strict: false });
  // What was there when the palette opened: an entry must not move while somebody aims at it.
  const [lately] = useState(() => recent.getState().list);
  const listId = useId();

  const entries = useMemo<Entry[]>(() => {
    const entryOf = (command: (typeof catalogue)[number], group: string): Entry => ({
      id: command.id,
      group,
      title: command.title,
      more: command.shortcuts[0] === undefined || !isHere(command.id) ? null : <kbd>{showKeys(command.shortcuts[0], onMac)}</kbd>,
      run: () => {
        recent.getState().add({ kind: 'command', id: command.id });
        run(command.id);
      },
    });
    const openMeasurement = (id: string) => (): void => void navigate({ to: '/measurements/$measurementId', params: { measurementId: id } });
    const possible = catalogue.filter((command) => command.group !== 'List' && command.id !== 'open-palette' && can(command.id));
    const before: Entry[] =
      typed.trim() === ''
        ? lately
            .flatMap((one): Entry[] => {
              if (one.kind === 'command') return possible.filter(({ id }) => id === one.id).map((command) => entryOf(command, 'Recent'));
              if (one.id === measurementId) return [];
              const more = one.title === one.id ? null : <span>{one.title}</span>;
              return [{ id: `measurement-${one.id}`, group: 'Recent', title: one.id, more, run: openMeasurement(one.id) }];
            })
            .slice(0, recentShown)
        : [];
    const offered = possible
      .filter((command) => matchWords(`${command.group} ${command.title}`, typed) && before.every(({ id }) => id !== command.id))
      .map((command) => entryOf(command, command.group));
    const revocable =
      search.length > 1
        ? (tokens.data ?? [])
            .filter((token) => token.active && matchWords(`Revoke token ${token.name} ${token.description}`, search))
            .slice(0, tokensShown)
            .map((token) => ({
              id: `token-${token.id}`,
              group: 'Token',
              title: `Revoke ${token.name}…`,
              more: null,
              run: () => void navigate({ to: '/tokens', search: { revoke: token.id } }),
            }))
        : [];
    const measurements =
      search.length > 1
        ? (found.data?.items ?? []).slice(0, 6).map((item) => ({
            id: `measurement-${item.id}`,
            group: 'Measurement',
            title: item.id,
            more: (
              <span>
                {item.title === item.id ? '' : `${item.title} · `}
                {formatBytes(item.total_bytes, units)}
              </span>
            ),
            run: openMeasurement(item.id),
          }))
        : [];
    return [...before, ...offered, ...revocable, ...measurements];
  }, [typed, search, isHere, can, run, found.data, tokens.data, lately, measurementId, recent, units, onMac, navigate]);

  const current = Math.min(active, entries.length - 1);
  useEffect(() => {
    document.querySelector(`#${CSS.escape(`${listId}-${current}`)}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, current]);

  const choose = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    // The dialog gives the focus back first, so that what the command opens can take it.
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
          placeholder="Type a command or the name of a measurement"
          value={typed}
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault();
              const step = event.key === 'ArrowDown' ? 1 : -1;
              setActive((current + step + entries.length) % Math.max(1, entries.length));
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
            onPointerMove={() => setActive(index)}
            onClick={() => choose(entry)}
            onKeyDown={() => undefined}
          >
            <span className={styles['group']}>{entry.group}</span>
            <span className={styles['name']}>{entry.title}</span>
            <span className={styles['more']}>{index === current && entry.more === null ? <CornerDownLeft aria-hidden /> : entry.more}</span>
          </li>
        ))}
      </ul>
      {entries.length === 0 ? (
        <p className={styles['none']}>{found.isFetching ? 'Searching' : 'Nothing found. The palette looks for screens, actions, measurements and tokens.'}</p>
      ) : null}
    </>
  );
}
