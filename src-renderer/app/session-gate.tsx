import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useRouterState, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { ApiError } from '../api/requests/problem.ts';
import type { Session } from '../api/requests/types.ts';
import { SetupScreen } from '../features/setup/setup-screen.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Mark } from '../ui/figures/mark.tsx';
import { ProblemNote } from '../ui/notes/problem-note.tsx';
import { useSilentSeconds } from '../ui/hooks/use-silence.ts';
import { SessionContext, useApp } from '../context/context.ts';
import styles from './session-gate.module.css';
import { useTheme } from './theme.ts';

/** Shows the screens to a signed-in user, and otherwise the first run or the sign-in page. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  useTheme();
  const { queries, firstRun } = useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  const session = useQuery({
    ...queries.session(),
    retry: true,
    retryDelay: (count) => Math.min(2000, 400 * 2 ** count),
  });
  const location = useRouterState({ select: (state) => state.location });
  const data = session.data;
  const mustSignIn = data !== undefined && data.user === null && !data.needs_setup && data.door === 'browser';
  const leavesSetup = data !== undefined && data.user !== null && location.pathname === '/setup';

  useEffect(() => {
    if (mustSignIn)
      window.location.assign(
        `/users/sign_in?return_to=${encodeURIComponent(window.location.pathname + window.location.search)}`,
      );
  }, [mustSignIn]);
  const isIn = data !== undefined && data.user !== null;
  const inWindow = data?.door === 'window';
  const looked = useRef(false);
  const begins = location.pathname === '/measurements';
  useEffect(() => {
    if (!isIn || looked.current) return;
    looked.current = true;
    // The first run starts after the account was created, and resumes when the window is opened
    // again.
    if (inWindow && begins && firstRun.getState().step !== null) void navigate({ to: '/first-run', replace: true });
  }, [isIn, inWindow, begins, firstRun, navigate]);
  useEffect(() => {
    if (leavesSetup) void navigate({ to: '/measurements', replace: true });
  }, [leavesSetup, navigate]);

  if (data?.needs_setup === true) {
    const code = new URLSearchParams(location.searchStr).get('code');
    const begin = (next: Session): void => {
      if (next.door === 'window') firstRun.getState().goTo('data');
      client.setQueryData(queries.session().queryKey, next);
    };
    return <SetupScreen session={data} code={code} onDone={begin} />;
  }
  if (data !== undefined && data.user !== null)
    return <SessionContext value={data}>{leavesSetup ? null : children}</SessionContext>;
  return <Waiting session={session} mustSignIn={mustSignIn} />;
}

interface WaitingProps {
  readonly session: UseQueryResult<Session>;
  readonly mustSignIn: boolean;
}

function Waiting({ session, mustSignIn }: WaitingProps) {
  const silentSeconds = useSilentSeconds();
  const comes =
    silentSeconds === null
      ? comingWords(session.failureReason)
      : 'The Benchport service has not answered yet. This page continues once it does';
  return (
    <main className={styles['waiting']}>
      <span className={styles['mark']}>
        <Mark size={40} />
      </span>
      {session.data !== undefined || comes !== null ? (
        <p role="status" className="muted">
          {mustSignIn ? 'Going to the sign-in page' : comes}
        </p>
      ) : (
        <ProblemNote
          error={session.failureReason}
          action={<Button onClick={() => void session.refetch()}>Try again now</Button>}
        />
      )}
    </main>
  );
}

/** Text while the service is starting or does something first; null when that failed. */
function comingWords(failure: unknown): string | null {
  if (failure === null) return 'Starting';
  return failure instanceof ApiError && (failure.type === 'service-starting' || failure.type === 'service-busy')
    ? failure.detail
    : null;
}
