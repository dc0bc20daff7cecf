import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The file that a worker thread starts with: beside its module in the sources, at the top of the
 * folder of bundles in the build.
 *
 * @param here `import.meta.url` of the module that starts the thread.
 */
export function workerFile(here: string, name: string): string {
  const file = fileURLToPath(here);
  const folder = path.dirname(file);
  if (file.endsWith('.ts')) return path.join(folder, `${name}.ts`);
  const beside = path.join(folder, `${name}.js`);
  return existsSync(beside) ? beside : path.join(folder, '..', `${name}.js`);
}
