import { recoveryCodeDigest } from './recovery-codes.ts';
import type { SignInPlace } from '../store/sign-in-place.ts';
import { totpStep } from './totp.ts';
import type { UserRow } from '../store/user-rows.ts';
import { relyingParty, usedKey } from './webauthn.ts';
import type { AccountStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = AccountStores & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'baseUrl' | 'events' | 'secrets'>;

/** A typed code, or a browser's WebAuthn response to a challenge. */
export type SecondFactor = { readonly code: string } | { readonly response: unknown; readonly challenge: string };

/**
 * Verifies a second factor and marks it as used. A failure counts towards the lock of the account
 * for this place, like a wrong password.
 *
 * @returns the kind of factor, for the audit trail; null when it is wrong, or when the account is
 * locked or blocked.
 */
export async function verifySecondFactor(
  deps: Deps,
  userId: number,
  factor: SecondFactor,
  place: SignInPlace,
): Promise<string | null> {
  const user = await deps.users.byId(userId);
  if (!user || user.state !== 'active') return null;
  // A locked account does not use the code up, so that its owner can use it after the lock.
  const locked = await deps.signInFailures.locked(user.id, place, Date.now());
  const how = locked ? null : await matchedFactor(deps, user, factor, place.address);
  if (how !== null) return how;
  const what = locked ? 'account locked' : 'wrong second factor';
  if ((await deps.signInFailures.record(user.id, what, place, Date.now())) === 'locks')
    deps.events.emit('changed', { topic: 'users' });
  return null;
}

async function matchedFactor(deps: Deps, user: UserRow, factor: SecondFactor, address: string): Promise<string | null> {
  if ('response' in factor) return securityKey(deps, user, factor, address);
  const code = factor.code.trim();
  const plain = code.replaceAll(' ', '');
  if (/^\d{6}$/.test(plain)) return (await useTotpCode(deps, user.id, plain)) ? 'authenticator' : null;
  return (await deps.recoveryCodes.use(user.id, recoveryCodeDigest(code), Date.now())) ? 'recovery code' : null;
}

/** Whether a code of the authenticator is valid and unused; marks it as used. */
async function useTotpCode(deps: Deps, userId: number, code: string): Promise<boolean> {
  const row = await deps.totpKeys.ofUser(userId);
  if (!row || row.confirmed_at === null) return false;
  const step = totpStep(deps.secrets.open(`totp:${userId}`, row.sealed_key).toString(), code, Date.now());
  return step !== null && deps.totpKeys.useStep(userId, step);
}

async function securityKey(
  deps: Deps,
  user: UserRow,
  factor: { readonly response: unknown; readonly challenge: string },
  address: string,
): Promise<string | null> {
  const party = relyingParty(deps.baseUrl());
  if (typeof party === 'string') return null;
  const used = await usedKey(party, factor.challenge, await deps.webauthnKeys.ofUser(user.id), factor.response);
  if (!used) return null;
  if (await deps.webauthnKeys.recordUse(used.key.id, used.counter, Date.now())) return 'security key';
  await deps.audit.record({
    userId: null,
    action: 'user.webauthn-counter',
    subject: `user:${user.id}`,
    detail: `security key ${used.key.name} counted ${used.counter} after ${used.key.counter}; it may have been copied`,
    address,
  });
  return null;
}
