import { ApiError } from '../requests/problem.ts';
import { isWorthRetrying } from '../requests/request.ts';
import type { Upload } from '../requests/types.ts';
import { archiveOf, type ByteSource } from './archive-source.ts';
import { hashFiles, SourceError, type HashedFile } from './hash-files.ts';
import type { PickedFile } from './picked-files.ts';
import type { UploadApi, UploadNames } from './upload-api.ts';

const partBytes = 8 * 1024 * 1024;
const firstDelayMs = 1000;
const maxDelayMs = 30_000;
const lookEveryMs = 700;

export interface UploadDeps {
  readonly api: UploadApi;
  readonly files: readonly PickedFile[];
  readonly names: UploadNames;
  /** From an earlier run, which was paused. */
  readonly hashed: readonly HashedFile[] | null;
}

/** Callbacks for the progress of an upload. */
export interface UploadListener {
  onHashed(files: readonly HashedFile[]): void;
  /** Bytes read more. */
  onRead(bytes: number): void;
  /** The service knows the upload, and has so many of its bytes. */
  onSent(uploadId: string, offset: number, length: number): void;
  onWaiting(reason: string): void;
  onRegistering(): void;
}

/**
 * Reads the files, sends those that the service has not, and waits until they are a measurement.
 *
 * @returns whether the measurement was there already.
 * @throws SourceError, ApiError, or the signal's reason.
 */
export async function runUpload(
  deps: UploadDeps,
  listener: UploadListener,
  signal: AbortSignal,
): Promise<{ readonly wasThere: boolean }> {
  const retried = retrying(listener, signal);
  const begun = await begin(deps, listener, retried, signal);
  if (begun === null) return { wasThere: true };
  const { id, source, offset } = begun;
  await sendAll(deps.api, id, source, offset, { listener, retried, signal });
  listener.onRegistering();
  for (;;) {
    const upload = await retried(async () => deps.api.state(id, signal));
    if (upload.state === 'available') return { wasThere: false };
    if (upload.state === 'failed') throw new SourceError(upload.problem ?? 'It could not be registered.');
    await pause(lookEveryMs, signal);
  }
}

interface Begun {
  readonly id: string;
  readonly source: ByteSource;
  readonly offset: number;
}

/** @returns null when there is a measurement with these files. */
async function begin(
  { api, files, names, hashed: before }: UploadDeps,
  listener: UploadListener,
  retried: Retried,
  signal: AbortSignal,
): Promise<Begun | null> {
  const zip = zipOf(files);
  if (zip !== null) {
    const created = await retried(async () => api.createZip(names, zip, signal));
    if (!created?.id) throw new SourceError('The upload was ended elsewhere. Begin it again.');
    return {
      id: created.id,
      source: { length: zip.size, part: (from, to) => zip.slice(from, to) },
      offset: created.offset,
    };
  }
  const hashed = before ?? (await hashFiles(files, signal, (bytes) => listener.onRead(bytes)));
  listener.onHashed(hashed);
  const created = await retried(async () => api.create(names, hashed, signal));
  return created.id === null ? null : { id: created.id, source: archiveOf(hashed), offset: created.offset };
}

/** An archive alone is unpacked, as it is where measurements are registered. */
function zipOf(files: readonly PickedFile[]): File | null {
  const [one, ...others] = files;
  return one !== undefined && others.length === 0 && /\.zip$/i.test(one.path) ? one.file : null;
}

type Retried = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Sending {
  readonly listener: UploadListener;
  readonly retried: Retried;
  readonly signal: AbortSignal;
}

async function sendAll(
  api: UploadApi,
  id: string,
  source: ByteSource,
  first: number,
  { listener, retried, signal }: Sending,
): Promise<void> {
  let offset: number | null = first;
  listener.onSent(id, first, source.length);
  while (offset === null || offset < source.length) {
    offset = await retried(async (): Promise<number> => {
      const from: number = offset ?? offsetOf(await api.state(id, signal), source);
      // Asked for again after a failure: what came before it is kept.
      offset = null;
      const to = Math.min(from + partBytes, source.length);
      if (to > from) await api.append(id, from, await readable(source.part(from, to)), signal);
      return to;
    });
    listener.onSent(id, offset, source.length);
  }
}

function offsetOf({ state, offset, problem }: Upload, { length }: ByteSource): number {
  if (state === 'failed') throw new SourceError(problem ?? 'The upload was refused.');
  return state === 'receiving' ? offset : length;
}

/** A file that was changed meanwhile could not be told from a network that is away. */
async function readable(part: Blob): Promise<Blob> {
  try {
    return new Blob([await part.arrayBuffer()]);
  } catch (error) {
    throw new SourceError('A file was changed or removed while it was being uploaded. Choose the folder again.', {
      cause: error,
    });
  }
}

function retrying(listener: UploadListener, signal: AbortSignal): Retried {
  return async (work) => {
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, maxDelayMs)) {
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        if (!mayGoOn(error)) throw error;
        listener.onWaiting(error instanceof ApiError ? error.message : 'The service does not answer.');
      }
      await pause(delayMs, signal);
    }
  };
}

/** Whether it goes on later, or at another offset. */
function mayGoOn(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, type } = error;
  return (
    isWorthRetrying(error) ||
    [408, 423, 429].includes(status) ||
    (status === 409 && (type === 'wrong-offset' || type === 'upload-taken')) ||
    (status === 507 && type === 'disk-full')
  );
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
