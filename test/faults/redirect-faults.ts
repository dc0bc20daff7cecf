import { bareAnswer, type Fault } from './exchange.ts';

/** Redirects the client to an address computed from the requested one. */
export function redirectTo(address: (url: string) => string, status = 302): Fault {
  return (asked) => bareAnswer(status, { location: address(asked.url) });
}

/** Redirects once within the server: `?moved` is added, and a request with it is answered. */
export const movedWithin: Fault = (asked, answer) =>
  asked.url.includes('?moved') ? answer : bareAnswer(307, { location: `${asked.url}?moved` });

/** Redirects in circles. */
export const circle: Fault = (asked) => bareAnswer(302, { location: asked.url });
