import { HttpProblem } from '../../common/problem.ts';
import { checkPassword } from '../passwords/check-password.ts';
import type { SignInLimits } from '../attempts/sign-in-limits.ts';
import { placeOf, type SignInOrigin } from '../store/sign-in-place.ts';
import type { UserRow } from '../store/user-rows.ts';
import { verifySecondFactor } from '../second-factors/verify-second-factor.ts';
import type { AccountStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

const wrongPassword = 'wrong-password';
const wrongCode = 'wrong-code';

/**
 * @throws HttpProblem 403 for a wrong password and for a locked account, without a difference; 429
 * after too many failures.
 */
export async function requireOwnPassword(
  deps: Pick<AccountStores, 'users' | 'signInFailures' | 'knownPlaces' | 'secondFactors'> &
    Pick<ServiceContext, 'events' | 'passwords'>,
  limits: SignInLimits,
  user: UserRow,
  password: string,
  origin: SignInOrigin,
): Promise<void> {
  const work = async () => {
    const check = await checkPassword(deps, user.username, password, origin);
    if (!check.ok) {
      throw new HttpProblem(403, 'This password is wrong. After ten failures an account is locked for ten minutes.', {
        type: wrongPassword,
      });
    }
  };
  await limits.run(
    await placeOf(deps, user.id, origin),
    String(user.id),
    work,
    (error) => error instanceof HttpProblem && error.type === wrongPassword,
  );
}

/**
 * @throws HttpProblem 403 for a wrong authenticator or recovery code and for a locked account,
 * without a difference; 429 after too many failures.
 */
export async function requireOwnFactor(
  deps: AccountStores & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'baseUrl' | 'events' | 'secrets'>,
  limits: SignInLimits,
  user: UserRow,
  code: string,
  origin: SignInOrigin,
): Promise<void> {
  const place = await placeOf(deps, user.id, origin);
  const work = async () => {
    if ((await verifySecondFactor(deps, user.id, { code }, place)) === null) {
      throw new HttpProblem(
        403,
        'This code is wrong. Each code works once: wait for the next one, or use a recovery code.',
        { type: wrongCode },
      );
    }
  };
  await limits.run(place, String(user.id), work, (error) => error instanceof HttpProblem && error.type === wrongCode);
}
