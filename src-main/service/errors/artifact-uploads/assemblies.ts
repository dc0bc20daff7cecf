import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { HttpProblem } from '../../common/problem.ts';
import { mapsOf, UnusableBundle } from './bundle-maps.ts';
import { assembling, type AssemblyState, type AssemblyStates } from './assembly-states.ts';
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

type Deps = Pick<ErrorStores, 'sourceMaps' | 'uploadChunks'> & {
  readonly states: AssemblyStates;
  readonly log: Logger;
  readonly sourceMapReader: SourceMapReader;
};

const done: AssemblyState = { state: 'ok', missingChunks: [], detail: null };
// A response within this time often saves the sender a second request; senders poll once a second.
const answerWithinMs = 2000;
const maxWaiting = 16;

/**
 * Extracts source maps from uploaded chunks, one bundle at a time. Senders poll until their bundle
 * is done, so results are remembered, for all replicas.
 */
export class Assemblies {
  readonly #deps: Deps;
  readonly #running = new Map<string, Promise<AssemblyState>>();
  #last: Promise<unknown> = Promise.resolve();

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
    const { states, uploadChunks } = this.#deps;
    const known = this.#running.get(key);
    if (known) return soon(known);
    const kept = await states.peek(key);
    // A failure is reported once; the next request tries again.
    if (kept?.state === 'error') await states.remove(key);
    if (kept) return kept;
    const missingChunks = await uploadChunks.missing(bundle.userId, bundle.chunks);
    if (missingChunks.length > 0) return { state: 'not_found', missingChunks, detail: null };
    if (this.#running.size >= maxWaiting)
      throw new HttpProblem(503, 'Other bundles are being assembled. Try again in a moment.', {
        headers: { 'retry-after': '5' },
      });
    return soon(this.#running.get(key) ?? this.#begin(key, bundle));
  }

  #begin(key: string, bundle: BundleRequest): Promise<AssemblyState> {
    const before = this.#last;
    const end = this.#run(key, bundle, before).finally(() => this.#running.delete(key));
    this.#running.set(key, end);
    this.#last = end.catch(() => {});
    return end;
  }

  async #run(key: string, bundle: BundleRequest, before: Promise<unknown>): Promise<AssemblyState> {
    const { states } = this.#deps;
    const release = await states.claim(key, bundle.userId);
    await before;
    const state = await this.#assemble(bundle);
    await release();
    await states.put(key, bundle.userId, state);
    return state;
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

async function soon(end: Promise<AssemblyState>): Promise<AssemblyState> {
  const timer = new AbortController();
  try {
    return await Promise.race([end, setTimeout(answerWithinMs, assembling, { signal: timer.signal })]);
  } finally {
    timer.abort();
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
