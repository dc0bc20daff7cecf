import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { browserCookie, browserPlace, networkPlace, originOf, placeOf } from '../store/sign-in-place.ts';
import type { AccountStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'signInFailures' | 'knownPlaces'> & Pick<ServiceContext, 'baseUrl'>;

const lifetimeSeconds = 90 * 86_400;

/**
 * Remembers the browser and network of a successful sign-in, so that wrong passwords from other
 * places do not lock the user out there. The browser's cookie is replaced each time, because a copy
 * of the old one must not count as this browser.
 */
export async function rememberPlace(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const origin = originOf(request, deps.baseUrl());
  await deps.signInFailures.clearPlace(userId, await placeOf(deps, userId, origin));
  const value = randomBytes(32).toString('hex');
  if (origin.browser !== null) await deps.knownPlaces.rename(browserPlace(origin.browser), browserPlace(value));
  await deps.knownPlaces.remember(userId, [browserPlace(value), networkPlace(origin.address)], Date.now());
  const { name, attributes } = browserCookie(request, deps.baseUrl());
  reply.setCookie(name, value, { ...attributes, maxAge: lifetimeSeconds });
}
