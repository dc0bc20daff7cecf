import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState, useNavigate } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { SetupScreen } from '../features/setup/setup-screen.tsx';
import { Button } from '../ui/button.tsx';
import { Mark } from '../ui/mark.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SessionContext, useApp } from './context.ts';
import styles from './session-gate.module.css';
import { useTheme } from './theme.ts';

/** Lets the screens in once somebody is signed in; before that it is the first run, or the sign-in page. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  useTheme();
  const { queries } = useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  const session = useQuery({ ...queries.session(), retry: true, retryDelay: (count) => Math.min(5000, 400 * 2 ** count) });
  const location = useRouterState({ select: (state) => state.location });
  const data = session.data;
  const mustSignIn = data !== undefined && data.user === null && !data.needs_setup && data.door === 'browser';
  const leavesSetup = data !== undefined && data.user !== null && location.pathname === '/setup';

  useEffect(() => {
    if (mustSignIn) window.location.assign(`/users/sign_in?return_to=${encodeURIComponent(window.location.pathname + window.location.search)}`);
  }, [mustSignIn]);
  useEffect(() => {
    if (leavesSetup) void navigate({ to: '/measurements', replace: true });
  }, [leavesSetup, navigate]);

  if (data?.needs_setup === true) {
    const code = new URLSearchParams(location.searchStr).get('code');
    return <SetupScreen session={data} code={code} onDone={(next) => client.setQueryData(queries.session().queryKey, next)} />;
  }
  if (data !== undefined && data.user !== null) return <SessionContext value={data}>{leavesSetup ? null : children}</SessionContext>;
  return (
    <main className={styles['waiting']}>
      <span className={styles['mark']}>
        <Mark size={40} />
      </span>
      {session.failureReason === null || data !== undefined ? (
        <p className={styles['word']}>{mustSignIn ? 'Going to the sign-in page' : 'Starting'}</p>
      ) : (
        <ProblemNote error={session.failureReason} action={<Button onClick={() => void session.refetch()}>Try again now</Button>} />
      )}
    </main>
  );
}
