import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { chmod, lstat, open, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import { syncFolder } from '../../database/sync-folder.ts';
import type { HttpClient } from '../../http-client/http-client.ts';
import { JobFailed } from '../../jobs/job-work.ts';
import { absolutePathOf, rootOf } from '../../measurements/storage/file-storage.ts';
import { incomingOwner } from '../../measurements/storage/library-sweep.ts';
import type { FileRow } from '../../measurements/store/files-store.ts';
import type { MeasurementRow } from '../../measurements/store/measurements-store.ts';

export interface RestoreTarget {
  readonly paths: DataPaths;
  readonly measurement: MeasurementRow;
  readonly signal: AbortSignal;
  /** Told how many bytes have come. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Replaces a file that is not as registered by the one of a copy, whose length and SHA-256 are
 * compared before anything is replaced. What was in an instrument's folder is kept beside it.
 *
 * @throws JobFailed when the copy has other bytes, HttpRequestError, or the error of a system call.
 */
export async function restoreFile(client: HttpClient, row: FileRow, target: RestoreTarget): Promise<void> {
  const { paths, measurement } = target;
  const file = absolutePathOf(paths, measurement, row);
  const folder = path.dirname(file);
  makeWithin(rootOf(paths, measurement), folder);
  const partial = await partialFile(row, target, folder);
  try {
    await receive(client, row, partial, target);
    const seconds = Number(BigInt(row.mtime_ns) / 1_000_000n) / 1000;
    await utimes(partial, seconds, seconds);
    if (measurement.storage === 'library') await chmod(partial, 0o444);
    else await setAside(file);
    await rename(partial, file);
    syncFolder(folder);
  } finally {
    await rm(partial, { force: true });
  }
}

async function receive(
  client: HttpClient,
  row: FileRow,
  partial: string,
  { signal, onBytes }: RestoreTarget,
): Promise<void> {
  const sha256 = createHash('sha256');
  const handle = await open(partial, 'wx', 0o644);
  try {
    const route = `/measurements/${encodeURIComponent(row.measurement_id)}/files/${row.idx}`;
    const response = await client.send({ path: route, signal });
    let length = 0;
    try {
      await response.read(async (bytes) => {
        length += bytes.length;
        if (length > row.length) throw otherBytes(row);
        sha256.update(bytes);
        await handle.writeFile(bytes);
        onBytes(bytes.length);
      });
    } finally {
      response.end();
    }
    if (length !== row.length || !sha256.digest().equals(row.sha256)) throw otherBytes(row);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function otherBytes(row: FileRow): JobFailed {
  return new JobFailed(`The copy has other bytes for ${row.path}. Nothing was replaced by them.`);
}

/**
 * Makes a folder below a root, which must exist: that of a disk that is not connected is not made
 * anew. No link within the root may lead out of it.
 */
function makeWithin(root: string, folder: string): void {
  const above = realpathSync(root);
  const names = path.relative(root, folder).split(path.sep);
  let at = root;
  for (const name of names) {
    at = path.join(at, name);
    if (!existsSync(at)) mkdirSync(at);
    const real = realpathSync(at);
    if (real !== above && !real.startsWith(above.endsWith(path.sep) ? above : above + path.sep))
      throw new JobFailed(`${folder} leads out of the folder of the measurement.`);
  }
}

/** The same one after a kill, so that nothing is left in the folder of an instrument. */
async function partialFile(row: FileRow, { paths, measurement }: RestoreTarget, folder: string): Promise<string> {
  if (measurement.storage !== 'library') {
    const partial = path.join(folder, `.benchport-restoring-${row.idx}`);
    await rm(partial, { force: true });
    return partial;
  }
  const incoming = path.join(paths.library, 'incoming');
  mkdirSync(incoming, { recursive: true, mode: 0o700 });
  return path.join(incoming, `${incomingOwner(null)}-${randomUUID()}`);
}

/** Renames what is there, so that nothing is lost. */
async function setAside(file: string): Promise<void> {
  for (let number = 1; ; number += 1) {
    const aside = `${file}.before-restore${number === 1 ? '' : `-${number}`}`;
    if (await exists(aside)) continue;
    await rename(file, aside).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
    });
    return;
  }
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
