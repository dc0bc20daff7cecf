import type { ErrorEvent, StackFrame } from '../../contract/errors.ts';
import { eventIdOf } from '../normalise/event-id.ts';
import { asRecord } from '../normalise/event-json.ts';
import type { SourceExcerpt, SourceMapReader } from './source-map-thread.ts';
import type { Logger } from 'pino';
import type { ErrorStores } from '../store/stores.ts';

type Deps = Pick<ErrorStores, 'sourceMaps'> & { readonly log: Logger; readonly sourceMapReader: SourceMapReader };

const maxMaps = 20;

/**
 * Returns an event with positions in generated JavaScript replaced by those in the sources;
 * `abs_path` keeps the generated file. Frames without a map stay as they were sent.
 */
export async function withSources(deps: Deps, projectId: number, event: ErrorEvent): Promise<ErrorEvent> {
  if (!(await deps.sourceMaps.any(projectId))) return event;
  const byFile = new Map<string, StackFrame[]>();
  for (const frame of [...event.exceptions, ...event.threads].flatMap(({ frames }) => frames)) {
    const file = frame.abs_path ?? frame.filename;
    if (file === null || frame.line === null || frame.column === null) continue;
    const ofFile = byFile.get(file) ?? [];
    ofFile.push(frame);
    byFile.set(file, ofFile);
  }
  const debugIds = debugIdsOf(event);
  const excerpts = new Map<StackFrame, SourceExcerpt>();
  for (const [file, frames] of [...byFile].slice(0, maxMaps)) {
    const map = await findMap(deps, projectId, event.release, file, debugIds.get(file) ?? null);
    const found = map === null ? [] : await findSources(deps, map, frames);
    for (const [index, frame] of frames.entries()) {
      const excerpt = found[index];
      if (excerpt) excerpts.set(frame, excerpt);
    }
  }
  const mapped = <T extends { readonly frames: readonly StackFrame[] }>(one: T) => ({
    ...one,
    frames: one.frames.map((frame) => mappedFrame(frame, excerpts.get(frame))),
  });
  return { ...event, exceptions: event.exceptions.map(mapped), threads: event.threads.map(mapped) };
}

async function findMap(
  { sourceMaps }: Deps,
  projectId: number,
  release: string | null,
  file: string,
  debugId: string | null,
): Promise<number | null> {
  const names = namesOf(file);
  return (
    (debugId === null ? null : await sourceMaps.byDebugId(projectId, debugId)) ??
    (release === null ? null : await sourceMaps.byName(projectId, release, names)) ??
    (await sourceMaps.byName(projectId, null, names))
  );
}

async function findSources(
  { sourceMaps, sourceMapReader, log }: Deps,
  map: number,
  frames: readonly StackFrame[],
): Promise<readonly (SourceExcerpt | null)[]> {
  // Frames count from 1, maps from 0.
  const places = frames.map(({ line, column }) => ({ line: (line ?? 1) - 1, column: Math.max(0, (column ?? 1) - 1) }));
  try {
    return await sourceMapReader.find(map, async () => sourceMaps.content(map), places);
  } catch (error) {
    log.warn({ err: error, sourceMap: map }, 'a source map cannot be read');
    return [];
  }
}

/**
 * Names under which a file's map may be stored: its whole address, and its path with `~` for any
 * host.
 */
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

function mappedFrame(frame: StackFrame, excerpt: SourceExcerpt | undefined): StackFrame {
  if (!excerpt) return frame;
  const { filename, line, column } = excerpt;
  return {
    ...frame,
    filename,
    line,
    column,
    in_app: frame.in_app && !/(^|\/)node_modules\//.test(filename),
    pre_context: [...excerpt.before],
    context_line: excerpt.text,
    post_context: [...excerpt.after],
  };
}
