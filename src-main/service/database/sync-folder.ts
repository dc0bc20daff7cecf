import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the names in a folder are on disk. Systems that cannot do that for a folder need it not. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
