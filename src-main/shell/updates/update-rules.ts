import type { UpdateHindrance, UpdatesOff, UpdateState } from '../../../src-preload/bridge.ts';
import type { Notice } from '../notices/notice-words.ts';

/**
 * Where this copy of Benchport gets updates from: the file `app-update.yml` that electron-builder
 * puts beside the application.
 */
export interface UpdateFeed {
  readonly url: string;
  readonly channel: string;
}

export interface UpdateContext {
  readonly development: boolean;
  readonly feed: UpdateFeed | null;
  /** Whether this copy contains a public key that verifies updates. */
  readonly hasKey: boolean;
  readonly platform: NodeJS.Platform;
  /**
   * Linux: the content of `package-type` beside the application, or `AppImage`; Windows: `nsis` if
   * an installer was used. Null for a folder unpacked by hand.
   */
  readonly installedBy: string | null;
}

const day = 24 * 3600_000;
const defaultChannel = 'latest';

/**
 * Parses the file: one `name: value` per line, as electron-builder writes it. Null for feeds other
 * than `generic`.
 */
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

/**
 * Why this copy gets no updates; null if it does. Without a way to verify updates, none are looked
 * for.
 */
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
  // Nothing can replace a folder that was unpacked by hand; on macOS the application bundle itself
  // is replaced.
  return platform !== 'darwin' && installedBy === null ? 'unpacked' : null;
}

function isHttps(url: string): boolean {
  return URL.parse(url)?.protocol === 'https:';
}

/**
 * Checks that every file of an update is downloaded over https.
 * @throws UnverifiedUpdate if one is not.
 */
export function onlyOverHttps<T extends { readonly url: URL }>(files: T[]): T[] {
  if (files.some(({ url }) => url.protocol !== 'https:'))
    throw new UnverifiedUpdate(
      'The update would be downloaded over an unprotected connection. Nothing was downloaded.',
    );
  return files;
}

/** The notification shown when the window is not in front or shows another screen. */
export function updateNotice(version: string, isReady: boolean): Notice {
  return {
    title: `Benchport ${version} is ${isReady ? 'ready to install' : 'available'}`,
    body: isReady
      ? 'It is installed when you confirm, and never during a fetch, a transfer or a registration.'
      : 'Download it in Settings.',
    route: '/settings',
  };
}

/** Whether to check again: at the start, then once a day. */
export function isTimeToLook(lookedAt: number | null, now: number): boolean {
  return lookedAt === null || now - lookedAt >= day || now < lookedAt;
}

/** The kinds of work in progress that an update must not interrupt, from the service's counts. */
export function hindrancesOf(counts: Readonly<Record<UpdateHindrance, number>>): UpdateHindrance[] {
  return (['fetches', 'transfers', 'jobs'] as const).filter((name) => counts[name] > 0);
}

export type EndingFor = 'update' | 'user' | 'session';

/**
 * Whether to install the update while the application ends, and whether to restart it afterwards;
 * null to not install.
 */
export function installAtEnd(state: UpdateState, ending: EndingFor): { readonly restart: boolean } | null {
  // At a log-off the system would kill the installer halfway. Nothing is installed before the user
  // has agreed.
  if (state.kind !== 'ready' || state.install === 'asks' || ending === 'session') return null;
  return { restart: ending === 'update' };
}

/** The failure as a text for the user. */
export function updateFailure(error: unknown): string {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
  if (error instanceof UnverifiedUpdate) return error.message;
  if (code === 'ERR_CHECKSUM_MISMATCH' || code === 'ERR_UPDATER_INVALID_SIGNATURE')
    return 'The downloaded update does not match its signature and was deleted.';
  if (code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND' || code === 'HTTP_ERROR_404')
    return 'The update server has nothing for this copy of Benchport.';
  if (/net::ERR_CERT/.test(message)) return 'This computer does not trust the certificate of the update server.';
  if (/net::ERR_|ECONN|ENOTFOUND|ETIMEDOUT/.test(message)) return 'The update server cannot be reached.';
  if (code === 'ENOSPC') return 'There is not enough disk space for the update.';
  return 'The update could not be downloaded. The log has the reason.';
}

/** An update without a valid signature of the key that this copy trusts. */
export class UnverifiedUpdate extends Error {}
