import { isIPv6 } from 'node:net';
import { browserFamily } from '../../../../src-shared/browser-words.ts';
import { networkOf } from '../../http/network-of.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import type { SignInPlacesStore } from '../store/sign-in-places-store.ts';

export interface NoticeSignInDeps {
  readonly signInPlaces: SignInPlacesStore;
}

/** Has a user told of a sign-in from a network or with a browser that is new for this account. */
export async function noticeSignIn(
  { signInPlaces }: NoticeSignInDeps,
  userId: number,
  address: string,
  userAgent: string | null,
): Promise<void> {
  const family = browserFamily(userAgent);
  // Of the user too, so that rows do not show who shares a place.
  const place = secretDigest(`${userId} ${coarseNetworkOf(address)} ${family ?? ''}`).toString('hex');
  await signInPlaces.note(userId, place, `by ${family ?? 'an unknown program'} from ${address}`, Date.now());
}

/** The /24 network of an IPv4 address, or the /48 network of an IPv6 address. */
export function coarseNetworkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (!isIPv6(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`;
  return `${networkOf(mapped).split(':').slice(0, 3).join(':')}::/48`;
}
