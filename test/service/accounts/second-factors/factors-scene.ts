import { afterEach, vi } from 'vitest';
import { useTestService } from '../../use-service.ts';
import { signedIn, turnTotpOn, type SignedIn } from '../second-factor-browser.ts';

/** A service with users who sign in. */
export function setUpFactors() {
  const service = useTestService();
  afterEach(() => vi.useRealTimers());

  let count = 0;
  async function somebody(): Promise<
    SignedIn & { readonly username: string; readonly key: string; readonly recoveryCodes: readonly string[] }
  > {
    count += 1;
    const username = `user${count}`;
    const user = await signedIn(service, username);
    return { ...user, username, ...(await turnTotpOn(user)) };
  }

  return { service, somebody };
}
