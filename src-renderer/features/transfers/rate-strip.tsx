import { useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { useApp, useUnits } from '../../context/context.ts';
import { formatRate } from '../../../src-shared/format/quantities.ts';
import { RateCurve } from '../../ui/figures/rate-curve.tsx';
import { TimeLeft } from './time-left.tsx';
import styles from './transfers-screen.module.css';

/** Incoming rate now and over the last minute, and the remaining time; hidden when nothing runs. */
export function RateStrip() {
  const { live, queries } = useApp();
  const units = useUnits();
  const incoming = useStore(live, (state) => state.incoming);
  const points = useStore(live, (state) => state.downRates);
  const active = useQuery(queries.fetchCounts()).data?.active ?? 0;
  if (active === 0 && incoming.running === 0) return null;
  return (
    <div className={styles['strip']}>
      <div className={styles['now']}>
        <span className={styles['rate']}>{formatRate(incoming.down_bytes_per_second, units)}</span>
        <span className={styles['left']}>
          <TimeLeft />
        </span>
      </div>
      <div className={styles['curve']}>
        <RateCurve label="Receiving" points={points} height={48} />
      </div>
    </div>
  );
}
