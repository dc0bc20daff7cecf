import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, CloudOff, HardDrive } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { toApiError } from '../../api/requests/problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { formatBytes } from '../../../src-shared/format/quantities.ts';
import { useSilentSeconds } from '../../ui/hooks/use-silence.ts';
import { useApp, useUnits } from '../../context/context.ts';
import styles from './service-banner.module.css';

/** Milliseconds. A service that only restarts is back before the banner would appear. */
const graceMs = 2500;

/** Shorter silences appear in the status bar only. */
const tellSilenceAfterSeconds = 5;

/** While the service is away its state is polled: it may be moving its data. */
const probeEveryMs = 2000;

/**
 * A banner above all screens that the service is away, because the data may be outdated and nothing
 * can be changed; or that its disk is almost full.
 */
export function ServiceBanner() {
  const { live, queries } = useApp();
  const units = useUnits();
  const client = useQueryClient();
  const lost = useStore(live, (state) => state.connection === 'lost');
  const [shown, setShown] = useState(false);
  const service = useQuery({ ...queries.service(), ...(shown ? { refetchInterval: probeEveryMs, retry: false } : {}) });
  const silentSeconds = useSilentSeconds();
  const isSilent = silentSeconds !== null && silentSeconds >= tellSilenceAfterSeconds;
  const reason = service.error === null ? null : toApiError(service.error);
  useEffect(() => {
    if (!lost) return undefined;
    const timer = setTimeout(() => setShown(true), graceMs);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [lost]);
  return (
    <div role="status" className={styles['place']}>
      {isSilent ? (
        <div className={styles['banner']}>
          <CloudOff aria-hidden />
          <p>
            The Benchport service does not answer. Its disk may be slow, or it was stopped. What you see may be out of
            date. It updates once the service answers.
          </p>
        </div>
      ) : shown ? (
        <div className={styles['banner']}>
          <CloudOff aria-hidden />
          <p>
            {reason?.type === 'service-busy'
              ? reason.detail
              : 'The Benchport service cannot be reached. Reconnecting automatically. What you see may be out of date.'}
          </p>
          <Button onClick={() => void client.invalidateQueries()}>Try again now</Button>
        </div>
      ) : service.data?.disk_low === true ? (
        <div className={`${styles['banner']} ${styles['warn']}`}>
          <HardDrive aria-hidden />
          <p>
            The disk of the data directory is almost full: {formatBytes(service.data.free_bytes, units)} free. Nothing
            is copied into the library and no errors are accepted until there is room; then both resume automatically.
          </p>
        </div>
      ) : service.data !== undefined && service.data.clock_ahead_days > 0 ? (
        <ClockAhead days={service.data.clock_ahead_days} />
      ) : null}
    </div>
  );
}

/** For administrators only: for others the service sends 0. */
function ClockAhead({ days }: { readonly days: number }) {
  const { actions } = useApp();
  const client = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => actions.confirmClock(),
    onSettled: () => client.invalidateQueries({ queryKey: ['service'] }),
  });
  return (
    <div className={`${styles['banner']} ${styles['warn']}`}>
      <CalendarClock aria-hidden />
      <p>
        The clock of this machine has jumped ahead by {days === 1 ? 'a day' : `${days} days`}. Nothing is removed
        because of its age until the clock is right again, or you confirm the time.
      </p>
      <Button onClick={() => confirm.mutate()} disabled={confirm.isPending}>
        Confirm the time
      </Button>
    </div>
  );
}
