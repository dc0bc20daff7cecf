/** Worker thread that reads source maps. */
import { Buffer } from 'node:buffer';
import zlib from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { serveWorker } from '../../workers/worker-server.ts';
import { SourceMapFile } from '../../contract/source-maps.ts';
import { validateBySchema } from '../../http/server/schema-validation.ts';
import { eventIdOf } from '../normalise/event-id.ts';
import { maxMapBytes } from './source-map-limits.ts';
import { findPlaces, type SourcePlace } from './source-map-places.ts';
import { structureProblem } from './source-map-structure.ts';
import type { PackResult, SourceExcerpt, SourceMapMethods } from './source-map-thread.ts';

const maxCachedBytes = maxMapBytes;
const linesAround = 5;
const maxLineLength = 2000;
/**
 * Limit in characters of the lines around all positions of one request: an event has up to 2000
 * frames, each with a line of its own.
 */
const maxExcerpts = 2 * 1024 * 1024;
// Limit of a source's name, as for names in events, because it is repeated in each frame.
const maxNameLength = 1024;
const check = validateBySchema({ schema: SourceMapFile, method: 'POST', url: '', httpPart: 'body' });
const kept = new LRUCache<number, SourceMapFile>({ maxSize: maxCachedBytes });

serveWorker<SourceMapMethods>({
  pack,
  find: (map, content, places) => {
    const file = content === null ? kept.get(map) : keep(map, content);
    return file ? excerptsOf(file, findPlaces(file, places)) : null;
  },
});

function pack(body: Uint8Array): PackResult {
  const problem = structureProblem(body);
  if (problem !== null) return { refused: problem };
  let file: SourceMapFile;
  try {
    file = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()) as SourceMapFile;
  } catch {
    return { refused: 'The body is not JSON.' };
  }
  const checked = check(file);
  if (typeof checked === 'object' && 'error' in checked && checked.error instanceof Error)
    return { refused: checked.error.message };
  const sent = file.debug_id ?? file.debugId;
  const debugId = eventIdOf(sent);
  if (sent !== undefined && debugId === null) return { refused: 'The debug id is not 32 hexadecimal digits.' };
  return { debugId, size: body.byteLength, content: zlib.deflateSync(body) };
}

/** Caches the most recent maps, up to the maximum size of a single map. */
function keep(map: number, content: Uint8Array): SourceMapFile {
  const text = zlib.inflateSync(content, { maxOutputLength: maxMapBytes });
  // Maps stored by older versions have not been checked.
  const problem = structureProblem(text);
  if (problem !== null) throw new Error(problem);
  const file = JSON.parse(text.toString()) as SourceMapFile;
  kept.set(map, file, { size: text.length });
  return file;
}

function excerptsOf(
  { sources, sourcesContent, sourceRoot }: SourceMapFile,
  places: readonly (SourcePlace | null)[],
): (SourceExcerpt | null)[] {
  const bySource = new Map<number, SourcePlace[]>();
  for (const place of places) {
    if (!place) continue;
    const ofSource = bySource.get(place.source) ?? [];
    ofSource.push(place);
    bySource.set(place.source, ofSource);
  }
  const linesOf = new Map(
    Array.from(bySource, ([source, ofSource]) => [source, wantedLines(sourcesContent?.[source] ?? '', ofSource)]),
  );
  let room = maxExcerpts;
  return places.map((place) => {
    const name = place && sources[place.source];
    if (!place || typeof name !== 'string' || name === '') return null;
    const lines = linesOf.get(place.source);
    const { line } = place;
    const shown = (from: number, to: number): string[] => {
      const some = Array.from({ length: to - from }, (_, at) => lines?.get(from + at)).filter(
        (text) => text !== undefined,
      );
      room -= some.reduce((sum, text) => sum + text.length, 0);
      return room < 0 ? [] : some;
    };
    return {
      filename: `${(sourceRoot ?? '').slice(0, maxNameLength)}${name.slice(0, maxNameLength)}`,
      line: line + 1,
      column: place.column + 1,
      before: shown(line - linesAround, line),
      text: shown(line, line + 1)[0] ?? null,
      after: shown(line + 1, line + 1 + linesAround),
    };
  });
}

/**
 * Finds the lines around positions in one pass: a list of all lines would take many times the
 * memory of the source.
 */
function wantedLines(content: string, places: readonly SourcePlace[]): ReadonlyMap<number, string> {
  const wanted = new Set(
    places.flatMap(({ line }) => Array.from({ length: 2 * linesAround + 1 }, (_, at) => line - linesAround + at)),
  );
  const last = Math.max(...wanted);
  const lines = new Map<number, string>();
  if (content === '') return lines;
  let start = 0;
  for (let line = 0; line <= last && start <= content.length; line += 1) {
    const next = content.indexOf('\n', start);
    const end = next < 0 ? content.length : next;
    if (wanted.has(line))
      lines.set(
        line,
        content.slice(start, content[end - 1] === '\r' && next >= 0 ? end - 1 : end).slice(0, maxLineLength),
      );
    start = end + 1;
  }
  return lines;
}
