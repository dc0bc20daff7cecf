import type { ScanCost } from '../scanning/scan-messages.ts';

/** At most a hundredth of a processor, and a fifth of the time of a share. */
const cpuShare = 1 / 100;
const timeShare = 1 / 5;

/** When a rule is read again, from what reading it has cost: the budget is one for all rules. */
export class Pace {
  #cpuMs = 0;
  #elapsedMs = 0;

  add({ cpuMs, elapsedMs }: ScanCost): void {
    this.#cpuMs += cpuMs;
    this.#elapsedMs += elapsedMs;
  }

  /**
   * Milliseconds until the next look, and begins to count anew.
   *
   * @param rules that share the budget.
   */
  next(everyMs: number, rules: number): number {
    const delay = Math.max(everyMs, (this.#cpuMs / cpuShare) * rules, this.#elapsedMs / timeShare);
    this.#cpuMs = 0;
    this.#elapsedMs = 0;
    return delay;
  }
}
