import type { UpdateHindrance, UpdatesOff, UpdateState } from '../../../src-preload/bridge.ts';
import type { Notice } from '../notices/notice-words.ts';

/** Where this copy of Benchport would get updates from: the file `app-update.yml` that electron-builder puts beside the application. */
export interface UpdateFeed {
  readonly url: string;
  readonly channel: string;
}

/** What this copy is. */
export interface UpdateContext {
  /** A development run. */
  readonly development: boolean;
  readonly feed: UpdateFeed | null;
  /** Whether there is a key that proves updates. */
  readonly hasKey: boolean;
  readonly platform: NodeJS.Platform;
  /** Linux: what `package-type` beside the application says, or `AppImage`; Windows: `nsis` where an installer has been. Null for a folder that somebody unpacked. */
  readonly installedBy: string | null;
}

const day = 24 * 3600_000;
const defaultChannel = 'latest';

/** Reads the file: flat lines of names and values, as electron-builder writes them. Null for any other kind of feed than a generic one. */
export function readUpdateFeed(text: string): UpdateFeed | null {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+): (.+?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, value.replace(/^(['"])(.*)\1$/, '$2'));
  }
  const url = values.get('url');
  return values.get('provider') === 'generic' && url !== undefined
    ? { url, channel: values.get('channel') ?? defaultChannel }
    : null;
}

/** Why there are no updates for this copy; null when there are. What cannot be proven is never looked for. */
export function whyUpdatesAreOff({
  development,
  feed,
  hasKey,
  platform,
  installedBy,
}: UpdateContext): UpdatesOff | null {
  if (development) return 'development';
  if (feed === null) return 'no-feed';
  if (!isHttps(feed.url)) return 'not-https';
  if (!hasKey) return 'no-key';
  // A folder that was unpacked by hand has nobody who could replace it; on a Mac the application itself is the unit.
  return platform !== 'darwin' && installedBy === null ? 'unpacked' : null;
}

/** Whether an address is one of https. */
function isHttps(url: string): boolean {
  return URL.parse(url)?.protocol === 'https:';
}

/**
 * Files of an update, each of which has to come over https.
 *
 * @throws UnprovenUpdate for one that would not
 */
export function onlyOverHttps<T extends { readonly url: URL }>(files: T[]): T[] {
  if (files.some(({ url }) => url.protocol !== 'https:'))
    throw new UnverifiedUpdate(
      'The update would be downloaded over an unprotected connection. Nothing was downloaded.',
    );
  return files;
}

/** Told when the window shows something else, or nothing. */
export function updateNotice(version: string, isReady: boolean): Notice {
  return {
    title: `Benchport ${version} is ${isReady ? 'ready to install' : 'available'}`,
    body: isReady
      ? 'It is installed when you say so, and never during a fetch, a transfer or a registration.'
      : 'Download it in Settings.',
    route: '/settings',
  };
}

/** Whether it is time to look again: at the start, and then once a day. */
export function isTimeToLook(lookedAt: number | null, now: number): boolean {
  return lookedAt === null || now - lookedAt >= day || now < lookedAt;
}

/** What an update must not interrupt, as the service counts it. */
export function hindrancesOf(counts: Readonly<Record<UpdateHindrance, number>>): UpdateHindrance[] {
  return (['fetches', 'transfers', 'jobs'] as const).filter((name) => counts[name] > 0);
}

/** Why the application ends. */
export type EndingFor = 'update' | 'user' | 'session';

/** Whether an update is installed while the application ends, and whether Benchport starts again after it; null for no. */
export function installAtEnd(state: UpdateState, ending: EndingFor): { readonly restart: boolean } | null {
  // Nobody waits for an installer at a log-off, and the system ends it halfway. Without an answer of the user nothing is installed.
  if (state.kind !== 'ready' || state.install === 'asks' || ending === 'session') return null;
  return { restart: ending === 'update' };
}

/** What went wrong, for the user. */
export function updateFailure(error: unknown): string {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
  if (error instanceof UnverifiedUpdate) return error.message;
  if (code === 'ERR_CHECKSUM_MISMATCH' || code === 'ERR_UPDATER_INVALID_SIGNATURE')
    return 'The download does not match its signature. It was deleted.';
  if (code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND' || code === 'HTTP_ERROR_404')
    return 'The update server has nothing for this copy of Benchport.';
  if (/net::ERR_CERT/.test(message)) return 'This computer does not trust the certificate of the update server.';
  if (/net::ERR_|ECONN|ENOTFOUND|ETIMEDOUT/.test(message)) return 'The update server cannot be reached.';
  if (code === 'ENOSPC') return 'There is not enough disk space for the update.';
  return 'The update could not be downloaded. The log has the reason.';
}

/** An update that nobody has signed with our key. */
export class UnverifiedUpdate extends Error {}
