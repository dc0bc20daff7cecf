import path from 'node:path';
import type { ServiceConfig } from '../../config/config.ts';

const defaultCacheBytes = 2 * 1024 ** 3;
/** Room for the blocks that the largest number of transfers uses at once. */
export const minCacheBytes = 256 * 1024 ** 2;

/** Where blocks of objects are cached. */
export function blockCacheOf({ dataDir, blockCache }: Pick<ServiceConfig, 'dataDir' | 'blockCache'>): {
  readonly folder: string;
  readonly maxBytes: number;
} {
  return blockCache ?? { folder: path.join(dataDir, 'cache'), maxBytes: defaultCacheBytes };
}
