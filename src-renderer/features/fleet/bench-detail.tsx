import { useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { countOf, formatCount } from '../../../src-shared/format/quantities.ts';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import type { BenchDetail as Detail } from '../../api/requests/types.ts';
import { useApp, useUnits } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Fact } from '../../ui/figures/fact.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { DetailHead } from '../../ui/layout/detail-head.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { Note } from '../../ui/notes/note.tsx';
import facts from '../../ui/styles/facts.module.css';
import { backlogWord, concernWord, expectationWords } from '../../words/bench-words.ts';
import { BenchState } from './bench-state.tsx';
import { Clock, Version } from './bench-table.tsx';
import { DiskBar, diskName } from './disk-bar.tsx';
import styles from './fleet.module.css';

export interface BenchDetailProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onEdit: (bench: Detail) => void;
  readonly onRemove: (bench: Detail) => void;
}

const listedAbsences = 10;

/** One bench: all that it has reported, and when it was away. */
export function BenchDetail({ id, onClose, onEdit, onRemove }: BenchDetailProps) {
  const query = useQuery(useApp().queries.bench(id));
  const bench = query.data;
  return (
    <>
      <DetailHead title={bench === undefined ? 'Bench' : plainText(bench.name)} onClose={onClose} />
      <div className={styles['body']}>
        <NotLoaded of={query} />
        {bench === undefined ? null : (
          <>
            <div className="row">
              <Button icon={<Pencil aria-hidden />} onClick={() => onEdit(bench)}>
                Edit
              </Button>
              <Button icon={<Trash2 aria-hidden />} onClick={() => onRemove(bench)}>
                Remove
              </Button>
            </div>
            <Concerns bench={bench} />
            <Facts bench={bench} />
            <Disks bench={bench} />
            <Absences bench={bench} />
          </>
        )}
      </div>
    </>
  );
}

function Concerns({ bench }: { readonly bench: Detail }) {
  if (bench.concerns.length === 0) return null;
  return (
    <Note kind={bench.state === 'silent' ? 'bad' : 'warn'}>
      <ul className={styles['concerns']}>
        {bench.concerns.map((concern) => (
          <li key={concern}>{concernWord(bench, concern)}</li>
        ))}
      </ul>
    </Note>
  );
}

function Facts({ bench }: { readonly bench: Detail }) {
  const units = useUnits();
  const { last_run: run, copies, runs, rules, errors } = bench;
  return (
    <dl className={facts['plain']}>
      <Fact term="State">
        <BenchState bench={bench} /> <span className="muted">since </span>
        <Moment at={bench.since} />
      </Fact>
      <Fact term="Last report">
        <Moment at={bench.heard_at} />
      </Fact>
      <Fact term="First report">
        <Moment at={bench.first_heard_at} />
      </Fact>
      <Fact term="Last run">
        {run === null ? (
          'none'
        ) : (
          <>
            <code>{run.id}</code> {plainText(run.title)}, <Moment at={run.registered_at} />
          </>
        )}
      </Fact>
      <Fact term="Backlog">
        {backlogWord(bench, units)}
        {copies.oldest_since === null ? null : (
          <>
            , the oldest <Moment at={copies.oldest_since} />
          </>
        )}
        {copies.failed === 0 ? '' : `, ${formatCount(copies.failed)} not sent`}
      </Fact>
      <Fact term="Runs">{`${formatCount(runs.growing)} growing, ${formatCount(runs.stuck)} that need somebody`}</Fact>
      <Fact term="Watched folders">
        {`${formatCount(rules.watching)} watched, ${formatCount(rules.paused)} paused, ${formatCount(rules.unreachable)} unreachable`}
      </Fact>
      <Fact term="Failed jobs">
        {bench.jobs_failed === 0 ? 'none in a week' : `${formatCount(bench.jobs_failed)} in a week`}
      </Fact>
      <Fact term="Errors">
        {`${formatCount(errors.unresolved)} unresolved, ${countOf(errors.events_last_hour, 'event')} in the last hour`}
      </Fact>
      <Fact term="Version">
        <Version bench={bench} />
      </Fact>
      <Fact term="Computer">{bench.platform}</Fact>
      <Fact term="Clock">
        <Clock bench={bench} />
      </Fact>
      <Fact term="Reports as">{bench.username}</Fact>
      {bench.name === bench.reported_name ? null : <Fact term="Calls itself">{plainText(bench.reported_name)}</Fact>}
      {bench.note === '' ? null : <Fact term="Note">{plainText(bench.note)}</Fact>}
      <Fact term="Silence is told">{expectationWords[bench.expected]}</Fact>
    </dl>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Disks({ bench }: { readonly bench: Detail }) {
  if (bench.disks.length === 0) return null;
  return (
    <Section title="Disks">
      <dl className={facts['plain']}>
        {bench.disks.map((disk) => (
          <Fact key={`${disk.what} ${disk.name}`} term={plainText(diskName(disk))}>
            <DiskBar disk={disk} />
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

function Absences({ bench: { absences } }: { readonly bench: Detail }) {
  if (absences.length === 0) return null;
  return (
    <Section title="When it was away">
      <p className="muted">In the last four weeks. This is what its silence is compared with.</p>
      <ul>
        {absences.slice(0, listedAbsences).map(({ from, until }) => (
          <li key={from} className="digits">
            {spanWord(from, until)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const dayAndTime = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeStyle: undefined,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

function spanWord(from: string, until: string): string {
  return `${dayAndTime.format(new Date(from))} to ${dayAndTime.format(new Date(until))}`;
}
