import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { currentSession } from '../sessions/current-session.ts';
import { confirmationLifetimeMs, requireConfirmation } from './require-confirmation.ts';
import type { AccountStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions' | 'secondFactors'> & Pick<ServiceContext, 'baseUrl'>;

/**
 * Requires, for changes of second factors, that the user presented one within the last 15 minutes:
 * a session and the password alone must neither remove nor add a factor. The window and users
 * without a factor pass.
 *
 * @throws HttpProblem 403 `second-factor-needed`, and the errors of `requireConfirmation`.
 */
export async function requireSecondFactor(deps: Deps, request: FastifyRequest): Promise<void> {
  await requireConfirmation(deps, request);
  const { kind, userId } = principalOf(request);
  if (kind === 'window' || !(await deps.secondFactors.enabled(userId))) return;
  const session = await currentSession(deps, request);
  if (session !== null && session.factor_at !== null && session.factor_at + confirmationLifetimeMs > Date.now()) return;
  throw new HttpProblem(
    403,
    'Confirm this with your second factor or a recovery code. With a security key, sign out and in again.',
    {
      type: 'second-factor-needed',
    },
  );
}
