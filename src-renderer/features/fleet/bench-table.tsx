import { formatCount } from '../../../src-shared/format/quantities.ts';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import type { Bench, BenchSort } from '../../api/requests/types.ts';
import { useUnits } from '../../context/context.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import { RowTable, type RowCursor } from '../../ui/lists/row-table.tsx';
import type { SortOrder } from '../../ui/lists/sorted-rows.ts';
import table from '../../ui/lists/table.module.css';
import { TimeCell } from '../../ui/lists/time-cell.tsx';
import { backlogWord, clockNoiseMs, clockWord, concernWord } from '../../words/bench-words.ts';
import { BenchState } from './bench-state.tsx';
import { DiskBar, fullestDisk } from './disk-bar.tsx';
import styles from './fleet.module.css';

export interface BenchTableProps extends RowCursor<string> {
  readonly benches: readonly Bench[];
  readonly sort: SortOrder<BenchSort>;
  readonly onSort: (by: BenchSort) => void;
  readonly onOpen: (id: string) => void;
}

/** Benches with what one look should tell. A row opens its detail. */
export function BenchTable({ benches, onOpen, ...list }: BenchTableProps) {
  const units = useUnits();
  return (
    <RowTable
      label="Benches"
      columns={[
        ['Bench', 'name'],
        ['State', 'state'],
        ['Last report', 'heard_at'],
        { words: 'Last run', className: styles['medium'], sort: 'last_run' },
        ['Backlog', 'backlog'],
        ['Disk', 'disk'],
        { words: 'Version', className: styles['medium'], sort: 'version' },
        { words: 'Clock', className: styles['wide'], sort: 'clock' },
        { words: 'Errors', className: styles['wide'], sort: 'errors' },
      ]}
      rows={benches}
      keyOf={({ id }) => id}
      {...list}
      onEnter={({ id }) => onOpen(id)}
      onClick={({ id }) => onOpen(id)}
    >
      {(bench) => (
        <>
          <th scope="row" className={table['name']}>
            <span>{plainText(bench.name)}</span>
            <span className={table['description']}>{aboutBench(bench)}</span>
          </th>
          <td data-label="">
            <BenchState bench={bench} />
          </td>
          <TimeCell label="Last report" at={bench.heard_at} />
          <td data-label="Last run" className={`${styles['medium']} ${styles['run']}`}>
            <LastRun bench={bench} />
          </td>
          <td data-label="Backlog">{backlogWord(bench, units)}</td>
          <td data-label="Disk">
            <FullestDisk bench={bench} />
          </td>
          <td data-label="Version" className={styles['medium']}>
            <Version bench={bench} />
          </td>
          <td data-label="Clock" className={styles['wide']}>
            <Clock bench={bench} />
          </td>
          <td data-label="Errors" className={styles['wide']}>
            {bench.errors.unresolved === 0 ? 'none' : formatCount(bench.errors.unresolved)}
          </td>
        </>
      )}
    </RowTable>
  );
}

/** The concerns about a bench; without any, its note or platform. */
function aboutBench(bench: Bench): string {
  const concerns = bench.concerns.filter((concern) => concern !== 'silent' && concern !== 'unheard');
  if (concerns.length > 0) return concerns.map((concern) => concernWord(bench, concern)).join(' · ');
  return bench.note === '' ? bench.platform : plainText(bench.note);
}

function LastRun({ bench: { last_run: run } }: { readonly bench: Bench }) {
  if (run === null) return 'none';
  return (
    <>
      <code title={plainText(run.title)}>{run.id}</code>
      <span className="muted">
        <Moment at={run.registered_at} />
      </span>
    </>
  );
}

function FullestDisk({ bench }: { readonly bench: Bench }) {
  const disk = fullestDisk(bench);
  return disk === null ? 'not known' : <DiskBar disk={disk} />;
}

/** Marked where this server is newer. */
export function Version({ bench: { version, is_older: isOlder } }: { readonly bench: Bench }) {
  return isOlder ? (
    <span className={styles['marked']} title="This server is newer">
      {version}, older
    </span>
  ) : (
    version
  );
}

/** Marked where it is off by more than the network explains. */
export function Clock({ bench: { clock_ahead_ms: ahead } }: { readonly bench: Bench }) {
  return <span className={Math.abs(ahead) < clockNoiseMs ? undefined : styles['marked']}>{clockWord(ahead)}</span>;
}
