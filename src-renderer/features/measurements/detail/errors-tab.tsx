import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Bug, CircleCheck, Clock } from 'lucide-react';
import { useState } from 'react';
import { countOf, formatCount } from '../../../../src-shared/format/quantities.ts';
import { formatTimeRange } from '../../../../src-shared/format/time-ranges.ts';
import type { MeasurementDetail, RunErrors, RunWindow } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SelectFilter } from '../../../ui/controls/filter-fields.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import filters from '../../../ui/controls/filter-fields.module.css';
import styles from './errors-tab.module.css';
import { RunErrorRow } from './run-error-row.tsx';
import { RunTimeLine } from './run-time-line.tsx';

/** The errors of lab software while a measurement was taken. */
export function ErrorsTab({ measurement }: { readonly measurement: MeasurementDetail }) {
  const { queries } = useApp();
  const [project, setProject] = useState('');
  const found = useInfiniteQuery(queries.runErrors(measurement.id, project));
  const [first] = found.data?.pages ?? [];
  const isGranted = first?.projects.some(({ granted }) => granted) === true;
  const chooser = (
    <ProjectChooser project={project} word={isGranted ? 'its projects' : 'all your projects'} onProject={setProject} />
  );
  if (first === undefined)
    return (
      <>
        {project === '' ? null : <div className={styles['head']}>{chooser}</div>}
        <NotLoaded of={found} className="padded" />
      </>
    );
  if (first.window === null) return <NoWindow {...first} />;
  const errors = (found.data?.pages ?? []).flatMap((page) => page.errors);
  return (
    <ScrollRegion className={styles['scroller']} label="What the software reported">
      <div className={styles['head']}>
        <WindowWords {...first} window={first.window} />
        {chooser}
      </div>
      <ProblemNote error={found.error} className="padded" />
      {first.projects.length === 0 ? (
        <NoProject />
      ) : errors.length === 0 ? (
        <NothingReported {...first} window={first.window} />
      ) : (
        <>
          <RunTimeLine {...first} window={first.window} />
          <ul aria-busy={found.isPlaceholderData}>
            {errors.map((error) => (
              <RunErrorRow key={error.id} error={error} namesProject={first.projects.length > 1} />
            ))}
          </ul>
          <p className={styles['foot']}>
            {found.hasNextPage ? (
              <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                {`Show more of ${formatCount(first.total)}`}
              </Button>
            ) : (
              countOf(first.total, 'error')
            )}
            {first.complete ? null : ', of those seen most recently'}
          </p>
        </>
      )}
    </ScrollRegion>
  );
}

function WindowWords({ window, projects, more_projects: more }: RunErrors & { readonly window: RunWindow }) {
  const looked = projects.filter(({ external }) => !external);
  const [only] = looked;
  return (
    <div className={styles['words']}>
      <h3>What the software reported</h3>
      <p>
        {formatTimeRange(window.from, window.until)}
        <span className="remark">
          {' '}
          · from the first to the last modification of its files, and five minutes around that
        </span>
      </p>
      {only === undefined ? null : (
        <p className="remark">
          {looked.length > 1 ? (
            `In ${more ? 'the first ' : ''}${formatCount(looked.length)} projects`
          ) : (
            <>
              In the project <bdi>{only.path}</bdi>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** Offered where there is something to choose. */
function ProjectChooser({
  project,
  word,
  onProject,
}: {
  readonly project: string;
  /** Which projects are looked at while none is chosen. */
  readonly word: string;
  readonly onProject: (path: string) => void;
}) {
  const { queries } = useApp();
  const { data = [] } = useQuery(queries.myProjects());
  const offered = data.filter(({ monitor }) => monitor);
  if (offered.length < 2 && project === '') return null;
  return (
    <div className={`${filters['controls']} ${filters['filters']} ${styles['chooser']}`}>
      <SelectFilter label="Errors of" value={project} onChange={onProject}>
        <option value="">{word}</option>
        {offered.map(({ id, path }) => (
          <option key={id} value={path}>
            {path}
          </option>
        ))}
      </SelectFilter>
    </div>
  );
}

function NoWindow({ state, span_days: days }: RunErrors) {
  if (state === 'too_long')
    return (
      <EmptyState
        icon={<Clock aria-hidden />}
        title={`The times of its files span ${formatCount(days ?? 0)} days, which no run lasts.`}
      >
        Errors are shown for measurements whose files were modified within 31 days.
      </EmptyState>
    );
  return (
    <EmptyState icon={<Clock aria-hidden />} title="It is not known when it was taken.">
      The times of its files say that, and none of them can be one, or they have not been read yet.
    </EmptyState>
  );
}

function NoProject() {
  return (
    <EmptyState icon={<Bug aria-hidden />} title="You are not a member of a project with errors.">
      Lab software reports its errors to a project, and its members see them here. An owner of the project can add you.
    </EmptyState>
  );
}

function NothingReported({ window, kept_days: days, projects }: RunErrors & { readonly window: RunWindow }) {
  const now = useNow();
  const elsewhere = projects.filter(({ external }) => external);
  if (elsewhere.length === projects.length)
    return (
      <EmptyState icon={<Bug aria-hidden />} title="Its errors are kept by another server.">
        {elsewhere.map(({ path }) => path).join(', ')}: look for them there.
      </EmptyState>
    );
  if (new Date(window.until).getTime() < now.getTime() - days * 86_400_000)
    return (
      <EmptyState icon={<Clock aria-hidden />} title="Nothing is known of that time any more.">
        {`What software reported is kept for ${days} days.`}
      </EmptyState>
    );
  return (
    <EmptyState icon={<CircleCheck aria-hidden />} title="No error was reported in that time.">
      {elsewhere.length === 0
        ? 'Software that reports to none of your projects is not looked at.'
        : `The errors of ${elsewhere.map(({ path }) => path).join(', ')} are kept by another server.`}
    </EmptyState>
  );
}
