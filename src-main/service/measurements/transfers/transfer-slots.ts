import { HttpProblem } from '../../common/problem.ts';
import type { Principal } from '../../http/principal.ts';

export interface SlotLimits {
  /** Concurrent transfers of one user, over all tokens, applications and sessions. */
  readonly perUser: number;
  readonly total: number;
}

/** A user with fewer transfers than this may use the reserve. */
const fewTransfers = 8;

/**
 * Counts concurrent transfers. The last eighth of the slots is reserved for users with few
 * transfers, the last sixteenth for administrators with few, so that several busy users together
 * cannot block all others.
 */
export class TransferSlots {
  readonly #limits: SlotLimits;
  readonly #perUser = new Map<number, number>();
  #taken = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * @throws HttpProblem 429 when the user has too many transfers, 503 when the server has; both
   * with Retry-After.
   */
  acquire(principal: Principal): void {
    const own = this.#perUser.get(principal.userId) ?? 0;
    // The window belongs to the owner at the machine: programs with the owner's tokens must not
    // block it.
    if (own >= this.#limits.perUser && principal.kind !== 'window') {
      throw new HttpProblem(
        429,
        `This user already has ${own} downloads running, over all tokens. Wait for one to end.`,
        { headers: { 'retry-after': '5' } },
      );
    }
    if (this.#limits.total - this.#taken <= this.#reservedFrom(principal, own)) {
      throw new HttpProblem(503, 'The server is sending as many downloads as it can. Try again in a moment.', {
        headers: { 'retry-after': '10' },
      });
    }
    this.#taken += 1;
    this.#perUser.set(principal.userId, own + 1);
  }

  release(principal: Principal): void {
    this.#taken -= 1;
    const left = (this.#perUser.get(principal.userId) ?? 1) - 1;
    if (left > 0) this.#perUser.set(principal.userId, left);
    else this.#perUser.delete(principal.userId);
  }

  /** Returns how many of the free slots are reserved for others. */
  #reservedFrom(principal: Principal, own: number): number {
    if (own >= fewTransfers) return Math.floor(this.#limits.total / 8);
    return principal.isAdmin ? 0 : Math.floor(this.#limits.total / 16);
  }
}
