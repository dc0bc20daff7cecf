import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the names in a folder are on disk. Windows cannot do that for a folder, and does not need it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
