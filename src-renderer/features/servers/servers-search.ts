/** Search parameters of the Servers screen. */
export interface ServersSearch {
  /** The address of a server to add: it is filled into the form, and nothing is sent. */
  readonly add?: string;
}

const maxLength = 2048;

/** Keeps only valid parameters, because any page may have made the link. */
export function readServersSearch(raw: Record<string, unknown>): ServersSearch {
  const add = typeof raw['add'] === 'string' ? raw['add'].trim() : '';
  return !/^https?:\/\//i.test(add) || add.length > maxLength || faultOfAddress(add) !== null ? {} : { add };
}

/** The error in a server's address, as far as the client can check; null for a valid one. */
export function faultOfAddress(text: string): string | null {
  const typed = withScheme(text);
  if (!URL.canParse(typed) || !/^https?:\/\//i.test(typed))
    return 'The whole address, such as https://bench-3.lab.example or http://192.168.4.17:7420.';
  const url = new URL(typed);
  if (url.username !== '' || url.password !== '')
    return 'An address without user and password. The token has its own field.';
  return url.search === '' && url.hash === '' ? null : 'An address without ? and #.';
}

/** The address with https:// in front where it has no scheme. */
export function withScheme(text: string): string {
  const typed = text.trim();
  return /^[a-z][a-z0-9+.-]*:(?!\d+(?:\/|$))/i.test(typed) ? typed : `https://${typed}`;
}

/** Whether a token would be sent unencrypted: plain http beyond this machine. */
export function isReadable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && !(hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.'));
}
