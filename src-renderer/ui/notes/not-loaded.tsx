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
  /** Why it could not be read; null while there is something to show. */
  readonly error: unknown;
  /** It is still being read: rows without words stand in its place. */
  readonly waits?: boolean;
  readonly onAgain: () => Promise<unknown>;
  /** Of the space around it, where it needs some of its own. */
  readonly className?: string | undefined;
}

/** Stands where something would be that is still being read, or could not be, with the way to try again; or says that it comes by itself, once the service is back. */
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

/** Another try cannot help: what was asked for does not exist, or not for this user. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
