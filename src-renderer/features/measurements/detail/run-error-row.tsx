import { Link } from '@tanstack/react-router';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { lineText } from '../../../../src-shared/format/shown-text.ts';
import { formatTimeRange } from '../../../../src-shared/format/time-ranges.ts';
import type { RunError } from '../../../api/requests/types.ts';
import { ErrorStatusWord, LevelWord } from '../../errors/event/status-words.tsx';
import styles from './errors-tab.module.css';

export interface RunErrorRowProps {
  readonly error: RunError;
  readonly namesProject: boolean;
}

/** An error with its events while a measurement was taken. Its texts are the sender's. */
export function RunErrorRow({ error, namesProject }: RunErrorRowProps) {
  const { id, title, culprit, level, status, project, events, first_at: first, last_at: last } = error;
  return (
    <li className={styles['row']}>
      <span className={styles['line']}>
        <Link
          to="/projects/$path/errors/$errorId"
          params={{ path: project.path, errorId: id }}
          className={styles['title'] ?? ''}
        >
          <bdi>{lineText(title, 300)}</bdi>
        </Link>
        <span className={styles['count']}>{countOf(events, 'event')}</span>
      </span>
      <span className={styles['more']}>
        <LevelWord level={level} />
        {status === 'unresolved' ? null : <ErrorStatusWord error={{ status, regressed: false }} />}
        {namesProject ? <bdi>{project.path}</bdi> : null}
        <bdi className={styles['culprit']}>{lineText(culprit, 200)}</bdi>
        <time dateTime={first} className={styles['when']}>
          {first === last ? formatTimeRange(first, last).split(' to ')[0] : formatTimeRange(first, last)}
        </time>
      </span>
    </li>
  );
}
