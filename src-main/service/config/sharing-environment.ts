import type { ListenerLimits } from '../http/server/listener-limits.ts';
import { lanAddresses, type LanAddress } from '../http/server/lan-addresses.ts';

/** The surroundings of sharing, which tests replace. */
export interface SharingEnvironment {
  readonly addresses: () => readonly LanAddress[];
  readonly checkEveryMs: number;
  /** Of the listener; the defaults are in http/server/listener-limits.ts. */
  readonly limits: Partial<ListenerLimits>;
}

export const systemEnvironment: SharingEnvironment = { addresses: lanAddresses, checkEveryMs: 3000, limits: {} };
