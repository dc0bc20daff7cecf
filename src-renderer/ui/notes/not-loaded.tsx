import { CloudOff } from 'lucide-react';
import { useStore } from 'zustand';
import { ApiError } from '../../api/requests/problem.ts';
import { isAway } from '../../api/requests/request.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../controls/button.tsx';
import styles from './note.module.css';
import { ProblemNote } from './problem-note.tsx';
import { Skeleton } from './skeleton.tsx';

export interface NotLoadedProps {
  /** Why loading failed; null once there is something to show. */
  readonly error: unknown;
  /** Whether it is still loading: placeholder rows are shown. */
  readonly waits?: boolean;
  readonly onAgain: () => Promise<unknown>;
  /** Class for the space around it. */
  readonly className?: string | undefined;
}

/**
 * Replaces content that is loading or failed to load, with a retry button; or states that it loads
 * automatically once the service is back.
 */
export function NotLoaded({ error, waits = false, onAgain, className }: NotLoadedProps) {
  const lost = useStore(useApp().live, (state) => state.connection === 'lost');
  if (error === null && !waits) return null;
  const note =
    error === null ? (
      <Skeleton />
    ) : lost && isAway(error) ? (
      <p role="status" className={styles['waits']}>
        <CloudOff aria-hidden />
        {error.type === 'service-busy'
          ? error.detail
          : 'Waiting for the Benchport service. The rest appears as soon as it answers.'}
      </p>
    ) : (
      <ProblemNote
        error={error}
        action={isMissing(error) ? undefined : <Button onClick={() => void onAgain()}>Try again</Button>}
      />
    );
  return className === undefined ? note : <div className={className}>{note}</div>;
}

/** A retry cannot help: it does not exist, or not for this user. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
