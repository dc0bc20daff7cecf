import type { FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';
import { networkFactor, networkOf } from '../http/network-of.ts';

type Limit = ReturnType<App['createRateLimit']>;

const timeWindow = 5 * 60_000;
// For one address and its network, for one account from one address, and for one account from everywhere: guessing is slow, and a colleague cannot lock you out
// with a few tries.
const perAddress = 100;
const perAddressAndAccount = 10;
const perAccount = 100;

/** The limits of everything at which a password or a code could be guessed. @param what counted apart from others. */
export function signInLimits(app: App, what: string, account: (request: FastifyRequest) => string): readonly Limit[] {
  return [
    app.createRateLimit({ max: perAddress, timeWindow, keyGenerator: (request) => `${what} ${request.ip}` }),
    app.createRateLimit({ max: perAddress * networkFactor, timeWindow, keyGenerator: (request) => `${what} ${networkOf(request.ip)}` }),
    app.createRateLimit({ max: perAddressAndAccount, timeWindow, keyGenerator: (request) => `${what} ${request.ip} ${account(request)}` }),
    app.createRateLimit({ max: perAccount, timeWindow, keyGenerator: (request) => `${what} account ${account(request)}` }),
  ];
}
