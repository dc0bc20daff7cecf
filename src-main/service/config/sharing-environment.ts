import type { ListenerLimits } from '../http/server/listener-limits.ts';
import { lanAddresses, type LanAddress } from '../http/server/lan-addresses.ts';

/** What sharing finds around it; tests put their own in. */
export interface SharingEnvironment {
  readonly addresses: () => readonly LanAddress[];
  readonly checkEveryMs: number;
  /** Of the door; the defaults are in http/door-limits.ts. */
  readonly limits: Partial<ListenerLimits>;
}

export const systemEnvironment: SharingEnvironment = { addresses: lanAddresses, checkEveryMs: 3000, limits: {} };
