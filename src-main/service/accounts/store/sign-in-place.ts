import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../http/network-of.ts';
import { ownCookie, type OwnCookie } from '../../http/own-cookie.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import type { KnownPlacesStore } from './known-places-store.ts';

/** Address and browser of a sign-in. */
export interface SignInOrigin {
  readonly address: string;
  /**
   * Value of the cookie that the browser received at an earlier sign-in; null for programs and new
   * browsers.
   */
  readonly browser: string | null;
}

/** The unit in which failures of a user are counted: a known browser, or else the network. */
export interface SignInPlace {
  readonly address: string;
  /** `browser` and the SHA-256 of its cookie, or `network` and the network. */
  readonly name: string;
  /** Whether the user has signed in there before. */
  readonly known: boolean;
}

const plainName = 'benchport_browser';
const cookieShape = /^[0-9a-f]{64}$/;

/** The cookie that identifies a known browser (OWASP, "Device Cookies"); it gives no access. */
export function browserCookie(request: FastifyRequest, baseUrl: string): OwnCookie {
  return ownCookie(plainName, request, baseUrl);
}

export function originOf(request: FastifyRequest, baseUrl: string): SignInOrigin {
  const sent = request.cookies[browserCookie(request, baseUrl).name];
  return { address: request.ip, browser: sent !== undefined && cookieShape.test(sent) ? sent : null };
}

export function browserPlace(cookie: string): string {
  return `browser ${secretDigest(cookie).toString('hex')}`;
}

export function networkPlace(address: string): string {
  return `network ${networkOf(address)}`;
}

/** The place of a user's sign-in; for an unknown user (null) the network. */
export async function placeOf(
  { knownPlaces }: { readonly knownPlaces: KnownPlacesStore },
  userId: number | null,
  origin: SignInOrigin,
): Promise<SignInPlace> {
  const { address, browser } = origin;
  const now = Date.now();
  if (userId !== null && browser !== null && (await knownPlaces.isKnown(userId, browserPlace(browser), now))) {
    return { address, name: browserPlace(browser), known: true };
  }
  const name = networkPlace(address);
  return { address, name, known: userId !== null && (await knownPlaces.isKnown(userId, name, now)) };
}
