import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { CommandLine } from './command-line.ts';

/** The file of the library that has these bytes. */
export async function libraryFile({ dataDir }: CommandLine, bytes: Buffer): Promise<string> {
  const library = path.join(dataDir, 'library');
  for (const entry of await readdir(library, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(file)).equals(bytes)) return file;
  }
  throw new Error('the library has no such file');
}
