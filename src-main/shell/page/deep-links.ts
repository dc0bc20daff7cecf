import { parseUrl } from './parse-url.ts';

/** The URL scheme of links from other programs and web pages into the window. */
export const linkScheme = 'benchport';

const maxUrlLength = 2300;
const number = '[1-9][0-9]{0,14}';
const measurement = '[A-Za-z0-9][A-Za-z0-9._-]{0,127}';

/**
 * The complete set of accepted links, matched as a whole. Each opens a screen; none performs an
 * action.
 */
const forms: readonly RegExp[] = [
  new RegExp(`^benchport://(measurements)(?:/(${measurement}))?/?$`),
  new RegExp(`^benchport://(transfers|servers|account/notifications)(?:/(${number}))?/?$`),
  /^benchport:\/\/(errors|tokens|applications|sharing|account|settings|copies|capture|benches)\/?$/,
];
const addServer = /^benchport:\/\/servers\/?\?add=([\x21-\x7e]+)$/;

/**
 * Maps a link to an address within the user interface, such as `/transfers/7`; undefined unless the
 * link has exactly one of the forms above. The raw text is matched, so that URL parser quirks
 * cannot matter.
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

/**
 * Reads the link from a command line, where operating systems put it last; undefined if there is
 * none or it is not accepted.
 */
export function linkRouteOfLine(line: readonly string[]): string | undefined {
  const link = line.findLast((word) => word.startsWith(`${linkScheme}:`));
  return link === undefined ? undefined : linkRoute(link);
}

/** Prefills the address of a server to add; the user adds it, and its token. */
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
