import { parseUrl } from './parse-url.ts';

/** The scheme of links that other programs and web pages may hold. */
export const linkScheme = 'benchport';

const maxUrlLength = 2300;
const number = '[1-9][0-9]{0,14}';
const measurement = '[A-Za-z0-9][A-Za-z0-9._-]{0,127}';

/** Everything that a link may say, as a whole. Each leads to a screen; none does anything. */
const forms: readonly RegExp[] = [
  new RegExp(`^benchport://(measurements)(?:/(${measurement}))?/?$`),
  new RegExp(`^benchport://(transfers|servers)(?:/(${number}))?/?$`),
  /^benchport:\/\/(errors|tokens|applications|sharing|account|settings)\/?$/,
];
const addServer = /^benchport:\/\/servers\/?\?add=([\x21-\x7e]+)$/;

/**
 * The address within the user interface that a link leads to, such as `/transfers/7`; undefined for everything that is not exactly one of the forms above.
 * The text is compared as it is: what a parser of addresses makes of odd ones is of no interest.
 */
export function linkRoute(link: string): string | undefined {
  if (link.length > maxUrlLength) return undefined;
  const add = addServer.exec(link)?.[1];
  if (add !== undefined) return addRoute(add);
  for (const form of forms) {
    const found = form.exec(link);
    if (found) return found[2] === undefined ? `/${found[1]}` : `/${found[1]}/${found[2]}`;
  }
  return undefined;
}

/** The last link of a command line, because that is where systems put it; undefined when there is none or it is not a good one. */
export function linkRouteOfLine(line: readonly string[]): string | undefined {
  const link = line.findLast((word) => word.startsWith(`${linkScheme}:`));
  return link === undefined ? undefined : linkRoute(link);
}

/** Fills in the address of a server to add; adding it, and its token, is up to the user. */
function addRoute(encoded: string): string | undefined {
  let text: string;
  try {
    text = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  const url = parseUrl(text);
  const isServer =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  return isServer ? `/servers?add=${encodeURIComponent(url.href)}` : undefined;
}
