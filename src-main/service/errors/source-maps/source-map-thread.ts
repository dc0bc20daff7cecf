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

export type PackResult =
  | { readonly debugId: string | null; readonly size: number; readonly content: Uint8Array }
  | { readonly refused: string };

/** The methods of the worker. */
export interface SourceMapMethods {
  pack(body: Uint8Array): PackResult;
  /** @returns null when the map is not cached: it must be called again with the content. */
  find(
    map: number,
    content: Uint8Array | null,
    places: readonly GeneratedPlace[],
  ): readonly (SourceExcerpt | null)[] | null;
}

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
  const file = workerFile(import.meta.url, 'source-map-worker');
  const thread = createWorkerClient<SourceMapMethods>({ file, name: 'source-maps', maxHeapMb, idleMs }, {});
  return {
    pack: async (body) => {
      const isWhole = body.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength;
      const result = await thread.call('pack', [body], isWhole ? [body.buffer] : []);
      if ('refused' in result) throw new HttpProblem(400, result.refused, { type: 'invalid-request' });
      const { content } = result;
      return { ...result, content: Buffer.from(content.buffer, content.byteOffset, content.byteLength) };
    },
    find: async (map, content, places) => {
      const cached = await thread.call('find', [map, null, places]);
      if (cached !== null) return cached;
      const stored = await content();
      return (stored && (await thread.call('find', [map, stored, places]))) ?? places.map(() => null);
    },
    close: async () => thread.close(new HttpProblem(503, 'The service is stopping.')),
  };
}
