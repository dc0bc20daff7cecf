import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * The path itself if it exists, otherwise its nearest existing parent folder. For a missing path,
 * file managers do nothing, or open the parent as if it were double-clicked when that is a file.
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
