import path from 'node:path';
import { isBuildStale } from '../../scripts/lib/freshness.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const built = !isBuildStale();

/**
 * The file that starts a program: the build if it is current, which starts four times as fast,
 * otherwise the source.
 */
export function programEntry(program: 'command line' | 'service'): string {
  const [source, bundle] =
    program === 'service'
      ? ['src-main/service/main.ts', 'out/service/service.js']
      : ['src-main/cli/main.ts', 'out/service/cli.js'];
  return path.join(root, built ? bundle : source);
}
