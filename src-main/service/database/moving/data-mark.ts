import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { StartError } from '../../common/start-error.ts';
import { refuseMarked, type MoveMark } from '../postgres/move-mark.ts';
import { syncFolder } from '../sync-folder.ts';

const markFile = (dataDir: string): string => path.join(dataDir, 'database-move.json');

/**
 * The mark that a move of the database left in a data directory; null without one.
 *
 * @throws StartError `data-unusable` when it cannot be read: then nobody knows whether the data are
 * the valid ones.
 */
export function readDataMark(dataDir: string): MoveMark | null {
  const file = markFile(dataDir);
  try {
    const mark = JSON.parse(readFileSync(file, 'utf8')) as Partial<MoveMark> | null;
    if (typeof mark?.id === 'string' && typeof mark.other === 'string') return mark as MoveMark;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
  }
  throw new StartError(
    'data-unusable',
    `${file}, which says where the database was moved, cannot be read. Remove it if the data here is the valid one.`,
  );
}

/** Replaces the mark; null removes it. It is on disk when this returns. */
export function writeDataMark(dataDir: string, mark: MoveMark | null): void {
  const file = markFile(dataDir);
  if (mark === null) rmSync(file, { force: true });
  else {
    const partial = `${file}.partial`;
    writeFileSync(partial, `${JSON.stringify(mark, null, 2)}\n`, { mode: 0o600 });
    syncFile(partial);
    renameSync(partial, file);
  }
  syncFolder(dataDir);
}

/** @throws StartError `data-unusable` when a move of the database began or ended here. */
export function refuseMoved(dataDir: string): void {
  refuseMarked(readDataMark(dataDir), dataDir);
}

/** Waits until the bytes of a file are on disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
