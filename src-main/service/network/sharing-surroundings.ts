import { lanAddresses, type LanAddress } from './lan-addresses.ts';
import { usualLanLimits, type LanLimits } from './lan-listener.ts';

/** What sharing finds around it; tests put their own in. */
export interface SharingSurroundings {
  readonly addresses: () => readonly LanAddress[];
  readonly checkEveryMilliseconds: number;
  readonly limits: LanLimits;
}

export const usualSurroundings: SharingSurroundings = { addresses: lanAddresses, checkEveryMilliseconds: 3000, limits: usualLanLimits };
