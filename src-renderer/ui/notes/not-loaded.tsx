import { CloudOff } from 'lucide-react';
import { useStore } from 'zustand';
import { ApiError } from '../../api/requests/problem.ts';
import { isAway } from '../../api/requests/request.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../controls/button.tsx';
import styles from './note.module.css';
import { ProblemNote } from './problem-note.tsx';
import { Skeleton } from './skeleton.tsx';

/** The part of a query's result that tells how loading goes. */
export interface LoadedQuery {
  readonly data: unknown;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
}

export interface NotLoadedProps {
  /** The query of the content. Placeholder rows are shown until it has data or fails. */
  readonly of: LoadedQuery;
  /** Also shows why older data, which stays visible, could not be read again. */
  readonly alsoStale?: boolean;
  /** Class for the space around it. */
  readonly className?: string | undefined;
}

/**
 * Replaces content that is loading or failed to load, with a retry button; or states that it loads
 * automatically once the service is back.
 */
export function NotLoaded({ of: { data, error, refetch }, alsoStale = false, className }: NotLoadedProps) {
  const lost = useStore(useApp().live, (state) => state.connection === 'lost');
  if (data !== undefined && (error === null || !alsoStale)) return null;
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
        action={isMissing(error) ? undefined : <Button onClick={() => void refetch()}>Try again</Button>}
      />
    );
  return className === undefined ? note : <div className={className}>{note}</div>;
}

/** A retry cannot help: it does not exist, or not for this user. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
