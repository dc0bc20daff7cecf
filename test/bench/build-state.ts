import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Whether the service's bundle is older than its sources, which would measure another program. */
export function isBuildStale(): boolean {
  const bundle = path.join(root, 'out/service/service.js');
  const built = statSync(bundle).mtimeMs;
  const sources = readdirSync(path.join(root, 'src-main'), { recursive: true, withFileTypes: true });
  return sources.some((entry) => entry.isFile() && statSync(path.join(entry.parentPath, entry.name)).mtimeMs > built);
}
