import { Ban, CircleCheck, Lock, ShieldCheck, ShieldOff } from 'lucide-react';
import type { ManagedUser } from '../../api/requests/types.ts';
import { exactTime, formatRelative } from '../../../src-shared/format/times.ts';
import { StatusWord } from '../../ui/notes/status-word.tsx';

/** Whether an account is temporarily locked after wrong passwords. */
export function isLocked(user: ManagedUser, now: Date): boolean {
  return user.locked_until !== null && new Date(user.locked_until) > now;
}

function lockedTitle(user: ManagedUser): string {
  return user.locked_where === 'new-places'
    ? 'Too many wrong passwords from many networks: signing in works only from a browser and network that the user has used before.'
    : 'Too many wrong passwords from one network or browser: signing in to this account from there is blocked.';
}

/** The state of an account: an icon and a word. */
export function UserState({ user, now }: { readonly user: ManagedUser; readonly now: Date }) {
  if (user.state === 'blocked') {
    return <StatusWord tone="bad" icon={Ban} word="blocked" />;
  }
  if (user.locked_until !== null && isLocked(user, now)) {
    return (
      <StatusWord
        tone="warn"
        icon={Lock}
        word={
          <>
            locked in {user.locked_where === 'new-places' ? 'new places' : 'one place'}, unlocked{' '}
            {formatRelative(user.locked_until, now)}
          </>
        }
        title={`${lockedTitle(user)} Until ${exactTime(user.locked_until)}.`}
      />
    );
  }
  return <StatusWord tone="ok" icon={CircleCheck} word="active" />;
}

/** How the account signs in. */
export function SignInState({ user }: { readonly user: ManagedUser }) {
  if (!user.has_password) {
    return (
      <StatusWord
        tone="quiet"
        icon={ShieldOff}
        word="no password"
        title={user.owner ? 'The desktop window needs none' : 'Nobody can sign in with it'}
      />
    );
  }
  return user.two_factor_enabled ? (
    <StatusWord tone="ok" icon={ShieldCheck} word="two factors" />
  ) : (
    <StatusWord tone="quiet" icon={ShieldOff} word="password only" />
  );
}
