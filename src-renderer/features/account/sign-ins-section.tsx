import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Globe, LogOut } from 'lucide-react';
import { useState } from 'react';
import type { SignedInSession } from '../../api/requests/types.ts';
import { useApp, useSession, useToast } from '../../context/context.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import styles from './account-screen.module.css';
import { browserWords } from '../../../src-shared/browser-words.ts';
import { Section } from './section.tsx';

/** The user's sign-ins, each with a button to end it. */
export function SignInsSection() {
  const { queries, actions } = useApp();
  const inWindow = useSession().door === 'window';
  const client = useQueryClient();
  const toast = useToast();
  const sessions = useQuery(queries.sessions());
  const [ending, setEnding] = useState<SignedInSession | 'others' | null>(null);
  const list = sessions.data ?? [];
  const others = list.filter((session) => !session.current);

  async function end(): Promise<void> {
    if (ending === null) return;
    await (ending === 'others' ? actions.endOtherSessions() : actions.endSession(ending.id));
    await client.invalidateQueries({ queryKey: ['account', 'sessions'] });
    toast({
      kind: 'plain',
      text: ending === 'others' ? 'Signed out everywhere else' : `${browserWords(ending.user_agent)} is signed out`,
    });
  }

  return (
    <Section
      title="Where you are signed in"
      about={inWindow ? 'This window is not listed: it needs no sign-in.' : undefined}
    >
      <NotLoaded of={sessions} />
      {sessions.data === undefined ? null : list.length === 0 ? (
        <p>You are not signed in from any browser.</p>
      ) : (
        <ul className={styles['rows']} aria-label="Sign-ins">
          {list.map((session) => (
            <li key={session.id} className={styles['row']}>
              <Globe aria-hidden />
              <span className={styles['what']}>
                <span title={session.user_agent ?? ''}>
                  {browserWords(session.user_agent)}
                  {session.current ? ', this one' : ''}
                </span>
                <span className="remark">
                  {session.address === null ? '' : `${session.address}, `}
                  signed in <Moment at={session.created_at} />, last seen <Moment at={session.last_used_at} />
                </span>
              </span>
              {session.current ? null : (
                <IconButton
                  label={`Sign out ${browserWords(session.user_agent)}${session.address === null ? '' : ` at ${session.address}`}`}
                  icon={<LogOut />}
                  onClick={() => setEnding(session)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {others.length === 0 ? null : (
        <div className="row">
          <Button icon={<LogOut aria-hidden />} onClick={() => setEnding('others')}>
            {inWindow ? 'Sign out everywhere' : 'Sign out everywhere else'}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={ending !== null}
        title={
          ending === 'others'
            ? inWindow
              ? 'Sign out everywhere?'
              : 'Sign out everywhere else?'
            : `Sign out ${browserWords(ending?.user_agent ?? null)}?`
        }
        verb="Sign out"
        onConfirm={end}
        onClose={() => setEnding(null)}
      >
        <p>
          {ending === 'others' ? 'All of them have' : 'It has'} to sign in again. Downloads that run there end within
          two seconds. Tokens and applications keep working.
        </p>
      </ConfirmDialog>
    </Section>
  );
}
