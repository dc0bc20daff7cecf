import { bareAnswer, type Fault } from './exchange.ts';

/** Sends the client elsewhere: to an address made of the one it asked for. */
export function redirectTo(address: (url: string) => string, status = 302): Fault {
  return (asked) => bareAnswer(status, { location: address(asked.url) });
}

/** Moves what is asked for within the server once: `?moved` is added, and asking with it is answered. */
export const movedWithin: Fault = (asked, answer) =>
  asked.url.includes('?moved') ? answer : bareAnswer(307, { location: `${asked.url}?moved` });

/** In circles. */
export const circle: Fault = (asked) => bareAnswer(302, { location: asked.url });
