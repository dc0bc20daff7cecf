import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ErrorDetail, Project } from '../../../api/requests/types.ts';
import { useApp, useToast } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { countOf, formatCount } from '../../../../src-shared/format/quantities.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { AxisChart } from '../../../ui/figures/axis-chart.tsx';
import styles from './error-detail.module.css';
import own from './overview.module.css';
import { tagQuery } from '../search/errors-search.ts';
import { dayLabel, daysBack, dayTicks, hourLabel, hourTicks } from '../event/event-times.ts';
import { mayChange } from './may-change.ts';
import { RunsTouched } from './runs-touched.tsx';
import { lineText } from '../../../../src-shared/format/shown-text.ts';

/** When the error occurred, in which releases, with which tags, and what was merged into it. */
export function Overview({
  project,
  error,
  onQuery,
}: {
  readonly project: Project;
  readonly error: ErrorDetail;
  readonly onQuery: (query: string) => void;
}) {
  return (
    <div className={styles['parts']}>
      <Charts error={error} />
      {error.backend === 'external' ? null : <RunsTouched project={project} error={error} />}
      {error.tags.length === 0 ? null : (
        <section className={styles['parts']}>
          <h3>Tags</h3>
          {error.tags.map(({ tag, values }) => (
            <TagValues key={tag} tag={tag} values={values} onQuery={onQuery} />
          ))}
        </section>
      )}
      {error.groups.length > 1 ? <Groups project={project} error={error} /> : null}
    </div>
  );
}

function Charts({ error }: { readonly error: ErrorDetail }) {
  const now = useNow();
  const { hours, days, releases } = error;
  const marks = releases.flatMap(({ release, first_seen }) => {
    const position = days.length - 1 - daysBack(now, first_seen);
    return position < 0 || position >= days.length
      ? []
      : [
          {
            position,
            word: `Release ${lineText(release, 80)}, first seen ${dayLabel(now, days.length - 1 - position)}`,
          },
        ];
  });
  return (
    <>
      <section className={styles['parts']}>
        <h3>Last 24 hours</h3>
        <AxisChart
          counts={hours}
          label="Last 24 hours"
          at={(position) => hourLabel(now, hours.length - 1 - position)}
          height={48}
          ticks={hourTicks(now, hours.length)}
        />
      </section>
      <section className={styles['parts']}>
        <h3>Last 14 days</h3>
        <AxisChart
          counts={days}
          label="Last 14 days"
          at={(position) => dayLabel(now, days.length - 1 - position)}
          height={64}
          marks={marks}
          ticks={dayTicks(now, days.length, 3)}
        />
        {releases.length === 0 ? null : (
          <ul className="breakable">
            {releases.map(({ release, first_seen }) => (
              <li key={release}>
                <bdi className="mono">{lineText(release, 80)}</bdi> <span className="remark">first seen</span>{' '}
                <Moment at={first_seen} />
              </li>
            ))}
          </ul>
        )}
        <p className="remark">
          {formatCount(error.stored_events)} of {countOf(error.events, 'event')}{' '}
          {error.stored_events === 1 ? 'is' : 'are'} kept.
        </p>
      </section>
    </>
  );
}

function TagValues({
  tag,
  values,
  onQuery,
}: ErrorDetail['tags'][number] & { readonly onQuery: (query: string) => void }) {
  const total = Math.max(
    1,
    values.reduce((sum, one) => sum + one.events, 0),
  );
  return (
    <div className={own['tag']}>
      <h4>
        <bdi>{lineText(tag, 100)}</bdi>
      </h4>
      <ul>
        {values.map(({ value, events }) => (
          <li key={value}>
            <button
              type="button"
              className={own['tagValue']}
              title="Errors with this tag"
              onClick={() => onQuery(tagQuery(tag, value))}
            >
              <bdi>{value === '' ? '(empty)' : lineText(value, 200)}</bdi>
            </button>
            <span className={own['share']} aria-hidden>
              <span style={{ width: `${(events / total) * 100}%` }} />
            </span>
            <span className="digits">
              {formatCount(events)} <span className="remark">{Math.round((events / total) * 100)} %</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Groups({ project, error }: { readonly project: Project; readonly error: ErrorDetail }) {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { busy, failure, submit } = useSubmit(async () => {
    await actions.unmergeGroups(project.id, error.id, [...chosen]);
    setChosen(new Set());
    toast({
      kind: 'plain',
      text:
        chosen.size === 1
          ? 'The group is now a separate error'
          : `${countOf(chosen.size, 'group')} are now a separate error`,
    });
    await client.invalidateQueries({ queryKey: ['errors', String(project.id)] });
  });
  return (
    <section className={styles['parts']}>
      <h3>Merged groups</h3>
      <ul className={own['groups']}>
        {error.groups.map((group) => (
          <li key={group.id}>
            <label>
              <input
                type="checkbox"
                checked={chosen.has(group.id)}
                disabled={!mayChange(project)}
                onChange={() =>
                  setChosen(
                    new Set(
                      [...chosen].includes(group.id)
                        ? [...chosen].filter((id) => id !== group.id)
                        : [...chosen, group.id],
                    ),
                  )
                }
              />
              <span className="mono">{lineText(group.id, 60)}</span>
            </label>
            <span className="remark">
              {countOf(group.events, 'event')}, last seen <Moment at={group.last_seen} />
            </span>
          </li>
        ))}
      </ul>
      <ProblemNote error={failure} />
      {mayChange(project) ? (
        <span>
          <Button busy={busy} disabled={chosen.size === 0 || chosen.size === error.groups.length} onClick={submit}>
            Separate
          </Button>
        </span>
      ) : null}
      {chosen.size === error.groups.length ? <p className="remark">At least one group has to stay.</p> : null}
    </section>
  );
}
