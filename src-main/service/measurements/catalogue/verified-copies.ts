import type { ServiceConfig } from '../../config/config.ts';
import { verifiedForMs } from '../../copies/store/copy-row.ts';
import type { CopyStores } from '../../copies/store/stores.ts';

export interface VerifiedCopiesDeps extends Pick<CopyStores, 'copyList'> {
  readonly config: Pick<ServiceConfig, 'database'>;
}

/**
 * How many copies on other servers have answered for their bytes lately, by measurement; those
 * without one are left out. A facility receives copies and keeps none elsewhere.
 */
export async function verifiedCopies(
  { config, copyList }: VerifiedCopiesDeps,
  measurements: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, number>> {
  if (config.database) return new Map<string, number>();
  return copyList.verifiedCounts(
    measurements.map(({ id }) => id),
    Date.now() - verifiedForMs,
  );
}
