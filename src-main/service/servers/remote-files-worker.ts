import { serveWorker } from '../workers/worker-server.ts';
import type { RemoteFilePage } from '../contract/servers.ts';
import { textFinder } from '../database/text-search.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import { createHttpClient } from '../http-client/http-client.ts';
import type { ServerAccess } from '../http-client/http-client.ts';
import { readListedArchive } from '../fetching/engine/manifest/listed-archive.ts';
import { readManifest } from '../fetching/engine/manifest/read-manifest.ts';
import type { ListedArchiveReply, RemoteFilesMethods, RemoteFilesQuery, RemoteFilesReply } from './remote-files.ts';
import { remoteFailure } from './server-failure.ts';

interface CachedListing {
  readonly until: number;
  readonly listing: Promise<Listing>;
  readonly stop: AbortController;
}

/** The cached parts of a manifest. */
interface Listing {
  readonly files: RemoteFilePage['items'];
  readonly totalBytes: number;
}

const maxCachedListings = 2;
const cacheForMs = 3 * 60_000;
const maxReadMs = 10 * 60_000;
const cache = new Map<string, CachedListing>();

/**
 * Serves pages and searches of other servers' manifests. The last two manifests are cached for some
 * minutes.
 */
serveWorker<RemoteFilesMethods>({ page, archive });

async function page(request: RemoteFilesQuery): Promise<RemoteFilesReply> {
  try {
    const { files, totalBytes } = await listingOf(request);
    const fits = textFinder(request.search);
    const found = request.search === '' ? files : files.filter(({ path }) => fits(path));
    const items = found.slice(request.offset, request.offset + request.limit);
    return { page: { items, total: found.length, file_count: files.length, total_bytes: totalBytes } };
  } catch (error) {
    const failure = remoteFailure(error, request.source.token !== null);
    if (failure) return { failure };
    throw error;
  }
}

async function archive(source: ServerAccess, measurementId: string): Promise<ListedArchiveReply> {
  const client = createHttpClient(source, { connections: 1, keepAlive: false });
  try {
    return { archive: await readListedArchive(client, measurementId, AbortSignal.timeout(maxReadMs)) };
  } catch (error) {
    const failure = remoteFailure(error, source.token !== null);
    if (failure) return { failure };
    throw error;
  } finally {
    client.close();
  }
}

async function listingOf(request: RemoteFilesQuery): Promise<Listing> {
  const key = JSON.stringify([request.source, request.measurementId]);
  const before = cache.get(key);
  cache.delete(key);
  if (before && before.until > Date.now()) {
    cache.set(key, before);
    return before.listing;
  }
  for (const [oldest, one] of cache) {
    if (cache.size < maxCachedListings) break;
    one.stop.abort(
      new HttpRequestError('timed-out', 'Two other measurements were opened in the meantime. Open this one again.'),
    );
    cache.delete(oldest);
  }
  const stop = new AbortController();
  const entry = { until: Date.now() + cacheForMs, listing: read(request, stop.signal), stop };
  cache.set(key, entry);
  // A failed download is not cached, so that the next request retries.
  entry.listing.catch(() => cache.get(key) === entry && cache.delete(key));
  return entry.listing;
}

async function read({ source, measurementId }: RemoteFilesQuery, stop: AbortSignal): Promise<Listing> {
  const client = createHttpClient(source, { connections: 1, keepAlive: false });
  try {
    const manifest = await readManifest(client, measurementId, AbortSignal.any([stop, AbortSignal.timeout(maxReadMs)]));
    return {
      files: manifest.files.map(({ index, path, length, refusal }) => ({ index, path, length, refusal })),
      totalBytes: manifest.totalBytes,
    };
  } finally {
    client.close();
  }
}
