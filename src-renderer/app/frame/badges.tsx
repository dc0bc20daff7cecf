import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { useApp } from '../../context/context.ts';
import styles from './sidebar.module.css';

/**
 * Milliseconds. New errors arrive without an action of the user; the list itself is updated by
 * events.
 */
const countAgain = 30_000;
/** A larger count has no room in a narrow sidebar. */
const maxCount = 9999;

/** Number of measurements with files that are not as registered. */
export function DegradedCount() {
  const count = useQuery(useApp().queries.degradedMeasurements()).data;
  if (count === undefined || count === 0) return null;
  return (
    <b className={`${styles['badge']} ${styles['asks']}`}>
      {formatCount(count)}
      <i className="visually-hidden"> degraded</i>
    </b>
  );
}

/** Number of unresolved errors in all projects that the user can see. */
export function ErrorCount() {
  const { data } = useQuery({ ...useApp().queries.myProjects(), refetchInterval: countAgain });
  const unresolved = (data ?? []).reduce(
    (sum, { monitor, error_tracking: { active, unresolved: of } }) => sum + (monitor && active ? of : 0),
    0,
  );
  if (unresolved === 0) return null;
  return (
    <b className={styles['badge']}>
      {unresolved > maxCount ? `${formatCount(maxCount)}+` : formatCount(unresolved)}
      <i className="visually-hidden"> unresolved</i>
    </b>
  );
}

/** Number of running transfers; those that need an action of the user take precedence. */
export function TransferCount() {
  const counts = useQuery(useApp().queries.fetchCounts()).data;
  if (counts === undefined || counts.attention + counts.active === 0) return null;
  const asks = counts.attention > 0;
  return (
    <b className={`${styles['badge']} ${asks ? styles['asks'] : ''}`}>
      {formatCount(asks ? counts.attention : counts.active)}
      <i className="visually-hidden">{asks ? ' need you' : ' active'}</i>
    </b>
  );
}

/** Number of runs in watched folders that need a decision. */
export function CaptureCount() {
  const rules = useQuery(useApp().queries.captures()).data ?? [];
  const asking = rules.reduce((sum, { counts }) => sum + counts.needs_you, 0);
  if (asking === 0) return null;
  return (
    <b className={`${styles['badge']} ${styles['asks']}`}>
      {asking > maxCount ? `${formatCount(maxCount)}+` : formatCount(asking)}
      <i className="visually-hidden"> need you</i>
    </b>
  );
}
