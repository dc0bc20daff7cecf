import { networkFactor, networkOf } from '../../http/network-of.ts';
import { tooManyAttempts } from '../../http/require-limit.ts';
import { AttemptLimit, beginAttempt, type Attempt } from './attempt-limit.ts';
import type { Cluster } from '../../database/cluster/cluster.ts';
import type { SignInPlace } from '../store/sign-in-place.ts';

const windowMs = 5 * 60_000;
const perAddress = 100;
const perAddressAndAccount = 10;

/** Limits for all endpoints at which passwords or codes could be guessed; only failures count. */
export interface SignInLimits {
  /**
   * @param account a user name or id, counted separately for each address.
   * @returns the attempt, or the seconds to wait.
   */
  begin(place: SignInPlace, account: string): Promise<Attempt | number>;
  /**
   * Runs work that may be a guess.
   *
   * @throws HttpProblem 429 with Retry-After, and any error of the work; `isFailure` decides
   * whether it counts.
   */
  run<Result>(
    place: SignInPlace,
    account: string,
    work: () => Promise<Result>,
    isFailure: (error: unknown) => boolean,
  ): Promise<Result>;
}

/**
 * Limits by account and address, by address, and by network. A browser in which the user has signed
 * in before has its own limit, so that others in its network cannot exhaust it.
 */
export function signInLimits({ cluster }: { readonly cluster: Pick<Cluster, 'live'> }): SignInLimits {
  const ofBrowser = new AttemptLimit(perAddressAndAccount, windowMs, cluster);
  const ofAccount = new AttemptLimit(perAddressAndAccount, windowMs, cluster);
  const ofAddress = new AttemptLimit(perAddress, windowMs, cluster);
  const ofNetwork = new AttemptLimit(perAddress * networkFactor, windowMs, cluster);
  const begin: SignInLimits['begin'] = async (place, account) => {
    const { address, name } = place;
    if (name.startsWith('browser ')) return ofBrowser.begin(`${name} ${account}`);
    // The narrowest limit first: attempts that wait for one account must not use up the limit of
    // the address.
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
