import { CommandError } from '../support/terminal.ts';

/** A parsed address of a measurement on a server, or of one of its files. */
export interface DownloadAddress {
  /** The address as the user gave it. */
  readonly url: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly measurementId: string;
  /** Null for all files. */
  readonly index: number | null;
}

const form = /^(.*)\/measurements\/([^/]+)(?:\/files(?:\/(\d{1,10}))?)?\/?$/;
// A decoded id must stay one path segment.
const leadsElsewhere = /[/\\\0]|^\.{1,2}$/;
const maxFiles = 2_147_483_647;

/**
 * Parses `BASE/measurements/ID` and `BASE/measurements/ID/files/INDEX`.
 * @throws CommandError for anything else.
 */
export function downloadAddress(text: string): DownloadAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw unusable(text, 'it is not an http or https address');
  if (url.username !== '' || url.password !== '')
    throw unusable(text, 'it contains a user name or password; the token is read from --token-file');
  if (url.search !== '' || url.hash !== '') throw unusable(text, 'it has a query or a fragment');
  const [, prefix = '', id = '', index] = form.exec(url.pathname) ?? [];
  const measurementId = decoded(id);
  if (
    measurementId === null ||
    measurementId === '' ||
    leadsElsewhere.test(measurementId) ||
    Number(index ?? 0) > maxFiles
  ) {
    throw unusable(text, 'it does not have the form http://SERVER/measurements/ID or .../measurements/ID/files/INDEX');
  }
  return { url: text, baseUrl: url.origin + prefix, measurementId, index: index === undefined ? null : Number(index) };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function unusable(text: string, why: string): CommandError {
  return new CommandError(`${text} cannot be downloaded: ${why}.`, 2);
}
