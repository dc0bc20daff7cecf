import type { Api } from '../requests/request.ts';
import type { Upload } from '../requests/types.ts';
import type { HashedFile } from './hash-files.ts';

const base = '/api/v4/uploads';
const tus = { 'tus-resumable': '1.0.0' };
const filesPerPart = 1000;

export interface UploadNames {
  readonly id: string;
  readonly title: string;
  /** Path of a project whose members may read the measurement. */
  readonly project?: string;
}

export type UploadApi = ReturnType<typeof createUploadApi>;

/** Requests of uploads. @param api without the watch for silence: a part may take minutes on a slow line. */
export function createUploadApi(api: Api) {
  return {
    unfinished: async (signal?: AbortSignal) => api.json<readonly Upload[]>(base, signal ? { signal } : {}),
    state: async (id: string, signal: AbortSignal) => api.json<Upload>(`${base}/${id}`, { signal }),
    remove: async (id: string) => api.nothing(`${base}/${id}`, { method: 'DELETE' }),
    create: async (names: UploadNames, files: readonly HashedFile[], signal: AbortSignal) =>
      api.json<Upload>('/api/v4/measurements/uploads', {
        method: 'POST',
        signal,
        content: { type: 'application/x-ndjson', body: manifestOf(names, files) },
      }),
    /** A ZIP, which the service unpacks when it has come; also one that has begun. */
    createZip: async (names: UploadNames, file: File, signal: AbortSignal): Promise<Upload | null> => {
      const metadata = Object.entries({ ...names, filename: file.name }).map(
        ([key, value]) => `${key} ${base64(value)}`,
      );
      const headers = { ...tus, 'upload-length': String(file.size), 'upload-metadata': metadata.join(',') };
      const begin = async (): Promise<void> =>
        api.nothing('/api/v4/measurements/uploads', {
          method: 'POST',
          signal,
          content: { type: 'application/octet-stream', body: new Blob(), headers },
        });
      const begun = async (): Promise<Upload | null> =>
        (await api.json<readonly Upload[]>(base, { signal })).find(
          ({ measurement_id: id, length }) => id === names.id && length === file.size,
        ) ?? null;
      const before = await begun();
      if (before) return before;
      await begin();
      return begun();
    },
    append: async (id: string, offset: number, body: Blob, signal: AbortSignal) =>
      api.nothing(`${base}/${id}`, {
        method: 'PATCH',
        signal,
        content: {
          type: 'application/offset+octet-stream',
          body,
          headers: { ...tus, 'upload-offset': String(offset) },
        },
      }),
  };
}

function manifestOf(names: UploadNames, files: readonly HashedFile[]): Blob {
  const parts = [`${JSON.stringify(names)}\n`];
  for (let at = 0; at < files.length; at += filesPerPart)
    parts.push(
      files
        .slice(at, at + filesPerPart)
        .map((file) => `${lineOf(file)}\n`)
        .join(''),
    );
  return new Blob(parts);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function lineOf({ path, length, crc32, sha256, registeredAt }: HashedFile): string {
  return JSON.stringify({ path, length, crc32, sha256, registrationTime: new Date(registeredAt).toISOString() });
}
