import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { formatTimeRange } from '../../../../src-shared/format/time-ranges.ts';
import type { ErrorDetail, Project } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import styles from './error-detail.module.css';
import own from './overview.module.css';

/** The measurements that were taken while an error had events. */
export function RunsTouched({ project, error }: { readonly project: Project; readonly error: ErrorDetail }) {
  const { queries } = useApp();
  const found = useInfiniteQuery(queries.errorRuns(project.id, error.id));
  const runs = (found.data?.pages ?? []).flatMap((page) => page.measurements);
  return (
    <section className={styles['parts']}>
      <h3>Runs it touched</h3>
      <NotLoaded of={found} />
      {found.data === undefined || runs.length > 0 || found.hasNextPage ? null : (
        <p className="remark">None of the measurements that you may read was taken while it occurred.</p>
      )}
      {runs.length === 0 ? null : (
        <ul className={own['runs']}>
          {runs.map((run) => (
            <li key={run.id}>
              <Link to="/measurements/$measurementId" params={{ measurementId: run.id }} title={plainText(run.title)}>
                {run.id}
              </Link>
              <span className="digits">{countOf(run.events, 'event')}</span>
              <span className="remark">{formatTimeRange(run.began_at, run.ended_at)}</span>
            </li>
          ))}
        </ul>
      )}
      {found.hasNextPage ? (
        <span>
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Look further back
          </Button>
        </span>
      ) : null}
    </section>
  );
}
