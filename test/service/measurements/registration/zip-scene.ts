import { writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes archives, each as a new file, into the folder of a service of `startWithFolder`. */
export function archivesIn(service: { readonly files: string }): (bytes: Buffer) => Promise<string> {
  let number = 0;
  return async (bytes) => {
    number += 1;
    const file = path.join(service.files, `case-${number}.zip`);
    await writeFile(file, bytes);
    return file;
  };
}
