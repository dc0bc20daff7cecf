import { lstatSync, openSync, unlinkSync } from 'node:fs';
import { errorCode } from '../../../common/error-code.ts';

/**
 * @param absent error codes that mean that there is nothing to open. @returns null for these codes
 */
export function openIfThere(file: string, flags: number, absent: readonly string[]): number | null {
  try {
    return openSync(file, flags);
  } catch (error) {
    if (absent.includes(errorCode(error))) return null;
    throw error;
  }
}

/** Removes a file; a missing one is no error. */
export function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Whether two paths are the same file. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [lstatSync(a, { bigint: true }), lstatSync(b, { bigint: true })];
  return left.dev === right.dev && left.ino === right.ino;
}

/** Whether anything has this name, including a dangling link. */
export function isThere(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
