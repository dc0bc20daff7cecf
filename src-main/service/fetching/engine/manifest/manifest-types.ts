import type { ListedFile } from '../types.ts';

/** A manifest that was read and checked, kept in the thread that read it. */
export interface ReadManifest {
  readonly measurementId: string;
  /** SHA-256 over what must not change: of each file index, path, length, crc32 and sha256. */
  readonly digest: Uint8Array;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly files: readonly ManifestFile[];
}

export interface ManifestFile extends ListedFile {
  readonly length: number;
  /** The path as the server has it; `path` is that of the file here. */
  readonly named: string;
  /** Why it can never be fetched under its name; null when it can. */
  readonly refusal: string | null;
}
