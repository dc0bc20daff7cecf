import { SourceMap } from 'node:module';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ErrorEvent, StackFrame } from '../contract/errors.ts';
import type { SourceMapFile } from '../contract/source-maps.ts';
import type { Services } from '../services.ts';
import { eventIdOf } from './event-id.ts';
import { asRecord } from './parse-json.ts';

/** A source map that can be asked. */
interface ReadMap {
  readonly map: SourceMap;
  readonly file: SourceMapFile;
}

const inflate = promisify(zlib.inflate);
const linesAround = 5;
const longestLine = 2000;
const mostMaps = 20;
const mostBytes = 64 * 1024 * 1024;

/**
 * An event with the places in generated JavaScript replaced by those in the sources; `abs_path` keeps the generated file. What has no map stays as it was
 * sent.
 */
export async function withSources(deps: Pick<Services, 'sourceMaps' | 'log'>, projectId: number, event: ErrorEvent): Promise<ErrorEvent> {
  if (!(await deps.sourceMaps.any(projectId))) return event;
  const debugIds = debugIdsOf(event);
  const read = new Map<string, ReadMap | null>();

  async function mapOf(frame: StackFrame): Promise<ReadMap | null> {
    const file = frame.abs_path ?? frame.filename;
    if (file === null || frame.line === null || frame.column === null) return null;
    const known = read.get(file);
    if (known !== undefined || read.size >= mostMaps) return known ?? null;
    const found = await findMap(deps, projectId, event.release, file, debugIds.get(file) ?? null);
    read.set(file, found);
    return found;
  }
  async function framesOf(frames: readonly StackFrame[]): Promise<StackFrame[]> {
    const mapped: StackFrame[] = [];
    for (const frame of frames) {
      const found = await mapOf(frame);
      mapped.push(found ? mappedFrame(frame, found) : frame);
    }
    return mapped;
  }

  const exceptions = [];
  for (const one of event.exceptions) exceptions.push({ ...one, frames: await framesOf(one.frames) });
  const threads = [];
  for (const one of event.threads) threads.push({ ...one, frames: await framesOf(one.frames) });
  return { ...event, exceptions, threads };
}

async function findMap(
  { sourceMaps, log }: Pick<Services, 'sourceMaps' | 'log'>,
  projectId: number,
  release: string | null,
  file: string,
  debugId: string | null,
): Promise<ReadMap | null> {
  const names = namesOf(file);
  const id =
    (debugId === null ? null : await sourceMaps.byDebugId(projectId, debugId)) ??
    (release === null ? null : await sourceMaps.byName(projectId, release, names)) ??
    (await sourceMaps.byName(projectId, null, names));
  const content = id === null ? null : await sourceMaps.content(id);
  if (content === null) return null;
  try {
    const read = JSON.parse((await inflate(content, { maxOutputLength: mostBytes })).toString()) as SourceMapFile;
    const { mappings, sources } = read;
    return {
      file: read,
      map: new SourceMap({ version: 3, file: '', mappings, sources: sources.map((one) => one ?? ''), sourcesContent: [], names: [], sourceRoot: '' }),
    };
  } catch (error) {
    log.warn({ err: error, sourceMap: id }, 'a source map cannot be read');
    return null;
  }
}

/** A file by its whole address, and by its path alone with `~` for whatever stands before it. */
function namesOf(file: string): string[] {
  const path = URL.canParse(file) ? new URL(file).pathname : file.startsWith('/') ? file : `/${file}`;
  return [file, `~${path}`];
}

function debugIdsOf(event: ErrorEvent): ReadonlyMap<string, string> {
  const images = asRecord(event.contexts['debug_meta'])?.['images'];
  const ids = new Map<string, string>();
  for (const image of Array.isArray(images) ? (images as unknown[]) : []) {
    const { code_file: file, debug_id: sent } = asRecord(image) ?? {};
    const id = eventIdOf(sent);
    if (typeof file === 'string' && id !== null) ids.set(file, id);
  }
  return ids;
}

function mappedFrame(frame: StackFrame, { map, file }: ReadMap): StackFrame {
  // Frames count from 1, maps from 0.
  const entry = map.findEntry((frame.line ?? 1) - 1, Math.max(0, (frame.column ?? 1) - 1));
  if (!('originalSource' in entry) || entry.originalSource === '') return frame;
  const { originalSource: source, originalLine: line, originalColumn: column } = entry;
  const lines = file.sourcesContent?.[file.sources.indexOf(source)]?.split(/\r?\n/) ?? [];
  const shown = (from: number, to: number) => lines.slice(Math.max(0, from), Math.max(0, to)).map((text) => text.slice(0, longestLine));
  return {
    ...frame,
    filename: `${file.sourceRoot ?? ''}${source}`,
    line: line + 1,
    column: column + 1,
    in_app: frame.in_app && !/(^|\/)node_modules\//.test(source),
    pre_context: shown(line - linesAround, line),
    context_line: shown(line, line + 1)[0] ?? null,
    post_context: shown(line + 1, line + 1 + linesAround),
  };
}
