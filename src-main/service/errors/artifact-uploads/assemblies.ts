import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { HttpProblem } from '../../common/problem.ts';
import { mapsOf, UnusableBundle } from './bundle-maps.ts';
import { BundleReader } from './bundle-reader.ts';
import { chunkBytes, maxBundleBytes, maxProjectMapBytes, maxProjectMaps } from './upload-limits.ts';
import type { Logger } from 'pino';
import type { SourceMapReader } from '../source-maps/source-map-thread.ts';
import type { ErrorStores } from '../store/stores.ts';

/** An uploaded bundle as described by its sender. */
export interface BundleRequest {
  readonly userId: number;
  /** SHA-1 of the whole bundle. */
  readonly checksum: string;
  /** SHA-1 of each chunk, in order. */
  readonly chunks: readonly string[];
  readonly projectIds: readonly number[];
  readonly release: string | null;
}

/** State of an assembly, with the names of Sentry's interface. */
export interface AssemblyState {
  readonly state: 'not_found' | 'assembling' | 'ok' | 'error';
  readonly missingChunks: readonly string[];
  readonly detail: string | null;
}

interface Assembly {
  readonly end: Promise<AssemblyState>;
  ended: AssemblyState | null;
}

type Deps = Pick<ErrorStores, 'sourceMaps' | 'uploadChunks'> & {
  readonly log: Logger;
  readonly sourceMapReader: SourceMapReader;
};

const assembling: AssemblyState = { state: 'assembling', missingChunks: [], detail: null };
const done: AssemblyState = { state: 'ok', missingChunks: [], detail: null };
// A response within this time often saves the sender a second request; senders poll once a second.
const answerWithinMs = 2000;
const maxWaiting = 16;
const maxRemembered = 100;

/**
 * Extracts source maps from uploaded chunks, one bundle at a time. Senders poll until their bundle
 * is done, so results are remembered.
 */
export class Assemblies {
  readonly #deps: Deps;
  readonly #known = new Map<string, Assembly>();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Starts to assemble a bundle if all its chunks are present, and returns its state.
   *
   * @throws HttpProblem 503 when too many bundles are waiting
   */
  async submit(bundle: BundleRequest): Promise<AssemblyState> {
    const key = JSON.stringify([bundle.userId, bundle.checksum, bundle.projectIds, bundle.release]);
    const known = this.#known.get(key);
    if (known) {
      // A failure is reported once; the next request tries again.
      if (known.ended?.state === 'error') this.#known.delete(key);
      return known.ended ?? this.#soon(known);
    }
    const missingChunks = await this.#deps.uploadChunks.missing(bundle.userId, bundle.chunks);
    if (missingChunks.length > 0) return { state: 'not_found', missingChunks, detail: null };
    if (this.#waiting >= maxWaiting)
      throw new HttpProblem(503, 'Other bundles are being assembled. Try again in a moment.', {
        headers: { 'retry-after': '5' },
      });
    return this.#soon(this.#begin(key, bundle));
  }

  #begin(key: string, bundle: BundleRequest): Assembly {
    this.#waiting += 1;
    const end = this.#last.then(async () => this.#assemble(bundle));
    const assembly: Assembly = { end, ended: null };
    this.#known.set(key, assembly);
    this.#last = end.then((state) => {
      assembly.ended = state;
      this.#waiting -= 1;
      for (const [old, { ended }] of this.#known) {
        if (this.#known.size <= maxRemembered) break;
        if (ended) this.#known.delete(old);
      }
    });
    return assembly;
  }

  async #soon(assembly: Assembly): Promise<AssemblyState> {
    const timer = new AbortController();
    try {
      return await Promise.race([assembly.end, setTimeout(answerWithinMs, assembling, { signal: timer.signal })]);
    } finally {
      timer.abort();
    }
  }

  async #assemble(bundle: BundleRequest): Promise<AssemblyState> {
    try {
      await this.#store(bundle);
      await this.#deps.uploadChunks.remove(bundle.userId, bundle.chunks);
      return done;
    } catch (error) {
      if (error instanceof UnusableBundle || (error instanceof HttpProblem && error.status < 500)) {
        await this.#deps.uploadChunks.remove(bundle.userId, bundle.chunks).catch(() => {});
        return { state: 'error', missingChunks: [], detail: error.message };
      }
      this.#deps.log.error({ err: error }, 'a bundle of artifacts was not assembled');
      return {
        state: 'error',
        missingChunks: [],
        detail: 'The bundle could not be stored. The log of the service has the reason.',
      };
    }
  }

  async #store({ userId, checksum, chunks, projectIds, release }: BundleRequest): Promise<void> {
    const { uploadChunks, sourceMaps, sourceMapReader } = this.#deps;
    const chunk = async (index: number): Promise<Buffer> => {
      const content = await uploadChunks.read(userId, chunks[index] ?? '');
      if (content === null) throw new UnusableBundle('A chunk of the bundle has gone. Upload it once more.');
      return content;
    };
    const size = await checkedSize(chunks.length, chunk, checksum);
    for await (const { name, debugId, body } of mapsOf(new BundleReader(chunk), size)) {
      const packed = await sourceMapReader.pack(body);
      for (const projectId of projectIds) {
        await sourceMaps.put({
          ...packed,
          debugId: debugId ?? packed.debugId,
          projectId,
          name,
          release,
          uploadedAt: Date.now(),
        });
      }
    }
    for (const projectId of projectIds) await sourceMaps.removeOldest(projectId, maxProjectMaps, maxProjectMapBytes);
  }
}

/** Returns the size of a bundle after checking the order of its chunks and its checksum. */
async function checkedSize(
  count: number,
  chunk: (index: number) => Promise<Buffer>,
  checksum: string,
): Promise<number> {
  const hash = createHash('sha1');
  let size = 0;
  for (let index = 0; index < count; index += 1) {
    const content = await chunk(index);
    if (index < count - 1 && content.length !== chunkBytes)
      throw new UnusableBundle(`All chunks but the last have ${chunkBytes} bytes.`);
    size += content.length;
    if (size > maxBundleBytes) throw new UnusableBundle(`The bundle is larger than ${maxBundleBytes} bytes.`);
    hash.update(content);
  }
  if (hash.digest('hex') !== checksum)
    throw new UnusableBundle('The chunks do not make the bundle that its checksum names.');
  return size;
}
