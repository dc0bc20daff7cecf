import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { syncFolder } from '../database/sync-folder.ts';

/** Writes a JSON file that only its owner can read; it is on disk when this returns. */
export function writeNote(file: string, note: unknown): void {
  writeFileSync(file, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flush: true });
  syncFolder(path.dirname(file));
}

/** @returns null when the file is missing or invalid. */
export function readNote<T>(file: string, validator: { Check(value: unknown): value is T }): T | null {
  try {
    const note: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return validator.Check(note) ? note : null;
  } catch {
    return null;
  }
}
