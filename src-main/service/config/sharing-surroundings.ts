import type { DoorLimits } from '../http/server/door-limits.ts';
import { lanAddresses, type LanAddress } from '../http/server/lan-addresses.ts';

/** What sharing finds around it; tests put their own in. */
export interface SharingSurroundings {
  readonly addresses: () => readonly LanAddress[];
  readonly checkEveryMilliseconds: number;
  /** Of the door; the defaults are in http/door-limits.ts. */
  readonly limits: Partial<DoorLimits>;
}

export const usualSurroundings: SharingSurroundings = { addresses: lanAddresses, checkEveryMilliseconds: 3000, limits: {} };
