import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { useApp } from '../../context/context.ts';
import { CappedCount } from '../../features/happenings/capped-count.tsx';
import styles from './sidebar.module.css';

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

/** Number of unresolved errors that are new since the user last looked at errors. */
export function ErrorCount() {
  const count = useQuery(useApp().queries.happeningCounts()).data?.errors ?? 0;
  return <CappedCount count={count} what="new" className={styles['badge'] ?? ''} />;
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

/** Whether a bench reports here; on a desktop that is rare, and the screen is not listed otherwise. */
export function useHasBenches(isAdmin: boolean): boolean {
  const { data } = useQuery({ ...useApp().queries.fleet(), enabled: isAdmin });
  return data !== undefined && data.all > 0;
}

/** Number of benches that somebody should look at. */
export function BenchCount() {
  const count = useQuery(useApp().queries.fleet()).data?.attention ?? 0;
  if (count === 0) return null;
  return (
    <b className={`${styles['badge']} ${styles['asks']}`}>
      {formatCount(count)}
      <i className="visually-hidden"> need somebody</i>
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
