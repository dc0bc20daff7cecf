import { statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '../../common/error-code.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';
import type { SyncIoPolicies } from '../storage/file-storage.ts';
import { freezeManifest, manifestFile, manifestText } from '../catalogue/manifest.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Logger } from 'pino';
import type { MeasurementStores } from '../store/stores.ts';

/** A manifest that can be sent, from memory or from a file. */
export type ReadyManifest = { readonly packed: boolean; readonly length: number } & (
  | { readonly body: Buffer }
  | { readonly file: string }
);

const maxCachedBytes = 16 * 1024 * 1024;
const maxCachedManifestBytes = 4 * 1024 * 1024;
/** Above this many bytes, `sendfile` is faster than sending from memory. */
const maxBytesBeforeSendfile = SendBuffers.small;
const cannotWrite = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM']);

export interface ManifestForm {
  /** Prefer the gzip form, where one exists. */
  readonly packed: boolean;
  /**
   * Prefer the file over the cache unless the manifest is small, so that `sendfile` can be used.
   */
  readonly asFile: boolean;
}

/**
 * Provides frozen manifests: small ones from memory, the others from their files. A missing file is
 * written again.
 */
export class Manifests {
  readonly #services: Pick<MeasurementStores, 'measurements' | 'files'> & {
    readonly paths: DataPaths;
    readonly log: Logger;
  };
  readonly #syncIoPolicies: SyncIoPolicies;
  readonly #cached = new Map<string, Buffer>();
  readonly #making = new Map<string, Promise<unknown>>();
  #cachedBytes = 0;

  constructor(
    services: Pick<MeasurementStores, 'measurements' | 'files'> & { readonly paths: DataPaths; readonly log: Logger },
    syncIoPolicies: SyncIoPolicies,
  ) {
    this.#services = services;
    this.#syncIoPolicies = syncIoPolicies;
  }

  async ready(measurement: MeasurementRow, basePath: string, form: ManifestForm): Promise<ReadyManifest> {
    const file = manifestFile(this.#services, measurement, basePath);
    const found = await this.#find(file, form);
    if (found) return found;
    try {
      await this.#make(file, measurement.id, basePath);
      const made = await this.#find(file, form);
      if (made) return made;
    } catch (error) {
      if (!cannotWrite.has(errorCode(error))) throw error;
      this.#services.log.warn(
        { err: error, measurement: measurement.id },
        'the manifest could not be kept; it is made for this request alone',
      );
    }
    const slices: Buffer[] = [];
    for await (const slice of manifestText(this.#services, measurement.id, basePath)) slices.push(Buffer.from(slice));
    const body = Buffer.concat(slices);
    return { packed: false, length: body.length, body };
  }

  async #find(file: string, { packed, asFile }: ManifestForm): Promise<ReadyManifest | null> {
    const maxBytes = asFile ? maxBytesBeforeSendfile : maxCachedManifestBytes;
    return (
      (packed ? await this.#read(`${file}.gz`, true, maxBytes) : null) ?? (await this.#read(file, false, maxBytes))
    );
  }

  async #read(file: string, packed: boolean, maxBytes: number): Promise<ReadyManifest | null> {
    const kept = this.#cached.get(file);
    if (kept && kept.length <= maxBytes) return { packed, length: kept.length, body: kept };
    try {
      const { size } = this.#syncIoPolicies.of(this.#services.paths.manifests).allowed
        ? statSync(file)
        : await stat(file);
      if (size > maxBytes) return { packed, length: size, file };
      const body = await readFile(file);
      this.#keep(file, body);
      return { packed, length: body.length, body };
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
      throw error;
    }
  }

  // Concurrent requests share one write.
  async #make(file: string, measurementId: string, basePath: string): Promise<void> {
    let making = this.#making.get(file);
    if (!making) {
      making = freezeManifest(this.#services, measurementId, basePath).finally(() => this.#making.delete(file));
      this.#making.set(file, making);
    }
    await making;
  }

  #keep(file: string, body: Buffer): void {
    if (this.#cached.has(file)) return;
    this.#cached.set(file, body);
    this.#cachedBytes += body.length;
    for (const [oldest, bytes] of this.#cached) {
      if (this.#cachedBytes <= maxCachedBytes) return;
      this.#cached.delete(oldest);
      this.#cachedBytes -= bytes.length;
    }
  }
}
