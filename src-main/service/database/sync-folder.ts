import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * Syncs the entries of a folder to disk. Windows cannot do that for a folder, and does not need it.
 */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
