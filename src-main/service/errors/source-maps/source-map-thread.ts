import { createWorkerClient } from '../../workers/worker-client.ts';
import { HttpProblem } from '../../common/problem.ts';
import { workerFile } from '../../workers/worker-file.ts';
import type { GeneratedPlace } from './source-map-places.ts';

/** A source map as it is stored. */
export interface PackedSourceMap {
  readonly debugId: string | null;
  /** Of the text before it was compressed. */
  readonly size: number;
  readonly content: Buffer;
}

/** Where generated code came from, with the lines around it. Line and column count from 1. */
export interface SourceExcerpt {
  readonly filename: string;
  readonly line: number;
  readonly column: number;
  readonly before: readonly string[];
  readonly text: string | null;
  readonly after: readonly string[];
}

export type SourceMapRequest =
  | { readonly kind: 'pack'; readonly body: Uint8Array }
  | {
      readonly kind: 'find';
      readonly map: number;
      readonly content: Uint8Array | null;
      readonly places: readonly GeneratedPlace[];
    };

export type SourceMapResult =
  | { readonly kind: 'packed'; readonly debugId: string | null; readonly size: number; readonly content: Uint8Array }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'found'; readonly excerpts: readonly (SourceExcerpt | null)[] }
  /** The map is not at hand: ask again with its content. */
  | { readonly kind: 'unknown' };

export interface SourceMapReader {
  /**
   * Makes of an uploaded file what is stored.
   *
   * @param body goes over to the thread where it has its memory for itself.
   * @throws HttpProblem 400 when it is no source map
   */
  pack(body: Buffer): Promise<PackedSourceMap>;
  /**
   * Where places in generated code came from; null for what the map says nothing of.
   *
   * @param map the number of the stored map, whose content never changes.
   * @param content is asked for when the map is not at hand; null when it has gone.
   * @throws Error when the map cannot be read
   */
  find(
    map: number,
    content: () => Promise<Buffer | null>,
    places: readonly GeneratedPlace[],
  ): Promise<readonly (SourceExcerpt | null)[]>;
  close(): Promise<void>;
}

const idleMs = 5 * 60_000;
const maxHeapMb = 1024;

/** Reads source maps on a thread of its own: one of thirty megabytes would hold the event loop, and with it downloads, for half a second. */
export function sourceMapReader(): SourceMapReader {
  const thread = createWorkerClient<SourceMapRequest, SourceMapResult>({
    file: workerFile(import.meta.url, 'source-map-worker'),
    name: 'source-maps',
    maxHeapMb,
    idleMs,
  });
  return {
    pack: async (body) => {
      const isWhole = body.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength;
      const result = await thread.request({ kind: 'pack', body }, isWhole ? [body.buffer] : []);
      if (result.kind === 'refused') throw new HttpProblem(400, result.detail, { type: 'invalid-request' });
      if (result.kind !== 'packed') throw new Error('the thread that reads source maps answered another question');
      const { content } = result;
      return { ...result, content: Buffer.from(content.buffer, content.byteOffset, content.byteLength) };
    },
    find: async (map, content, places) => {
      let result = await thread.request({ kind: 'find', map, content: null, places });
      if (result.kind === 'unknown') {
        const stored = await content();
        if (stored === null) return places.map(() => null);
        result = await thread.request({ kind: 'find', map, content: stored, places });
      }
      return result.kind === 'found' ? result.excerpts : places.map(() => null);
    },
    close: async () => thread.close(new HttpProblem(503, 'The service is stopping.')),
  };
}
