import { createWorkerClient } from '../../workers/worker-client.ts';
import { HttpProblem } from '../../common/problem.ts';
import { workerFile } from '../../workers/worker-file.ts';
import type { GeneratedPlace } from './source-map-places.ts';

/** A source map in its stored form. */
export interface PackedSourceMap {
  readonly debugId: string | null;
  /** Bytes of the text before compression. */
  readonly size: number;
  readonly content: Buffer;
}

/** The source of generated code, with the lines around it. Line and column count from 1. */
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
  /** The map is not cached: the request must be sent again with its content. */
  | { readonly kind: 'unknown' };

export interface SourceMapReader {
  /**
   * Converts an uploaded file to its stored form.
   *
   * @param body transferred to the worker if it owns its memory.
   * @throws HttpProblem 400 when it is not a source map
   */
  pack(body: Buffer): Promise<PackedSourceMap>;
  /**
   * Finds the sources of positions in generated code; null where the map has none.
   *
   * @param map id of the stored map, whose content never changes.
   * @param content called when the map is not cached; returns null when it was removed.
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

/**
 * Reads source maps on a worker: one of thirty megabytes would block the event loop, and with it
 * downloads, for half a second.
 */
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
