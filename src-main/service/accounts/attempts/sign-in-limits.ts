import { networkFactor, networkOf } from '../../http/network-of.ts';
import { tooManyAttempts } from '../../http/require-limit.ts';
import { AttemptLimit, beginAttempt, type Attempt } from './attempt-limit.ts';
import type { SignInPlace } from '../store/sign-in-place.ts';

const windowMs = 5 * 60_000;
const perAddress = 100;
const perAddressAndAccount = 10;

/** The limits of everything at which a password or a code could be guessed; only failures count. */
export interface SignInLimits {
  /**
   * @param account counted by itself within its address: a user name or number.
   * @returns the attempt, or the seconds to wait.
   */
  begin(place: SignInPlace, account: string): Promise<Attempt | number>;
  /**
   * Does what could be a guess.
   *
   * @throws HttpProblem 429 with Retry-After, and what the work throws, which counts as a failure where `isFailure` says so.
   */
  run<Result>(
    place: SignInPlace,
    account: string,
    work: () => Promise<Result>,
    isFailure: (error: unknown) => boolean,
  ): Promise<Result>;
}

/**
 * For one account from one address, for one address, and for its network. A browser that its user has signed in with before has a limit of its own,
 * so that nobody else in its network uses that up.
 */
export function signInLimits(): SignInLimits {
  const ofBrowser = new AttemptLimit(perAddressAndAccount, windowMs);
  const ofAccount = new AttemptLimit(perAddressAndAccount, windowMs);
  const ofAddress = new AttemptLimit(perAddress, windowMs);
  const ofNetwork = new AttemptLimit(perAddress * networkFactor, windowMs);
  const begin: SignInLimits['begin'] = async (place, account) => {
    const { address, name } = place;
    if (name.startsWith('browser ')) return ofBrowser.begin(`${name} ${account}`);
    // The narrowest first: what waits for one account must not use up the room of its address.
    return beginAttempt([
      { limit: ofAccount, key: `${address} ${account}` },
      { limit: ofAddress, key: address },
      { limit: ofNetwork, key: networkOf(address) },
    ]);
  };
  return {
    begin,
    run: async (place, account, work, isFailure) => {
      const attempt = await begin(place, account);
      if (typeof attempt === 'number') throw tooManyAttempts(attempt);
      let failed = false;
      try {
        return await work();
      } catch (error) {
        failed = isFailure(error);
        throw error;
      } finally {
        attempt.end(failed);
      }
    },
  };
}
