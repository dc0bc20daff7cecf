import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * What is there of a path: itself, or else the folder above that is. Where its folder is a file, or is gone, file managers do nothing, or are handed the
 * file to open as if somebody had clicked on it.
 */
export async function nearestPath(file: string): Promise<string> {
  try {
    await fs.lstat(file);
    return file;
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : nearestPath(folder);
  }
}
