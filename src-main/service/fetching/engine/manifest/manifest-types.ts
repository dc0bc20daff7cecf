import type { UnfetchedFile } from '../types.ts';

/** A parsed and checked manifest, kept in the thread that read it. */
export interface ReadManifest {
  readonly measurementId: string;
  /** SHA-256 over the index, path, length, crc32 and sha256 of each file, which must not change. */
  readonly digest: Uint8Array;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly files: readonly ManifestFile[];
}

export interface ManifestFile extends UnfetchedFile {
  readonly length: number;
  /** The path on the server; `path` is the local one. */
  readonly named: string;
  /** Why the file can never be written under its name; null if it can. */
  readonly refusal: string | null;
}
