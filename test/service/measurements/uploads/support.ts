import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mustRun } from '../../run-program.ts';
import type { TestService } from '../../start.ts';

const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for name, source in json.load(sys.stdin):
        archive.write(source, name)
`;

/** Writes a ZIP with Python, which takes any name. @returns its path. */
export async function makeZip(file: string, files: Readonly<Record<string, Buffer>>): Promise<string> {
  const parts = await mkdtemp(`${file}.parts-`);
  const list: [string, string][] = [];
  for (const [name, bytes] of Object.entries(files)) {
    const source = path.join(parts, String(list.length));
    await writeFile(source, bytes);
    list.push([name, source]);
  }
  await mustRun('/usr/bin/python3', ['-c', script, file], { input: JSON.stringify(list) });
  await rm(parts, { recursive: true });
  return file;
}

/** Folders of uploads in the library. */
export async function uploadedFolders({ services }: TestService): Promise<readonly string[]> {
  return readdir(path.join(services.paths.library, 'uploads')).catch(() => []);
}
