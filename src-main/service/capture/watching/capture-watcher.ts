import type { CaptureRuleRow } from '../store/capture-rows.ts';
import { RuleWatch, type RuleWatchDeps } from './rule-watch.ts';

export type WatcherDeps = Omit<RuleWatchDeps, 'shared'> & {
  /** Milliseconds between two looks at a small folder. */
  readonly lookEveryMs?: number | undefined;
};

const defaultLookEveryMs = 5000;
/** How often it is looked for rules that commands have added or changed. */
const passEveryMs = 1000;
/** The time of a look is stored this often, because each costs a write to the disk. */
const storeLookMs = 30_000;
/** Rules that register at once; those whose folder is away do not count. */
const maxRegistering = 4;

interface Watched {
  readonly watch: RuleWatch;
  /** Monotonic milliseconds. */
  nextAt: number;
  isReachable: boolean;
}

/** Looks at the watched folders, one after the other, each as often as its size allows. */
export class CaptureWatcher {
  readonly #deps: RuleWatchDeps;
  readonly #lookEveryMs: number;
  readonly #watched = new Map<number, Watched>();
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isStopping = false;
  /** Whether a registration has ended since the last pass. */
  #hasEnded = false;

  constructor(deps: WatcherDeps) {
    this.#deps = { ...deps, shared: { reading: 0 } };
    this.#lookEveryMs = deps.lookEveryMs ?? defaultLookEveryMs;
    this.#unsubscribe = deps.events.subscribe((name, event) => {
      if (name !== 'job' || !('kind' in event) || event.kind !== 'register' || event.ended_at === null) return;
      this.#hasEnded = true;
      if (this.#running === null && !this.#isStopping) this.#next(0);
    });
  }

  start(): void {
    this.#next(0);
  }

  /** Looks at all rules at once. */
  wake(): void {
    for (const one of this.#watched.values()) one.nextAt = 0;
    if (this.#running === null && !this.#isStopping) this.#next(0);
  }

  /** Ends the looks; what is being registered goes on as a job. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    clearTimeout(this.#timer ?? undefined);
    for (const { watch } of this.#watched.values()) watch.stop();
    // A hung folder must not block the end; its thread goes with the process.
    const stopped = new Promise<void>((resolve) => void setTimeout(resolve, 2000).unref());
    await Promise.race([this.#running, stopped]);
    await this.#deps.threads.close();
  }

  #next(inMs: number): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = setTimeout(() => {
      this.#running = this.#pass()
        .catch((error: unknown) => this.#deps.log.error({ err: error }, 'watched folders were not read'))
        .finally(() => {
          this.#running = null;
          if (!this.#isStopping) this.#next(Math.min(passEveryMs, this.#lookEveryMs));
        });
    }, inMs);
    this.#timer.unref();
  }

  async #pass(): Promise<void> {
    const rules = await this.#deps.captureRules.all();
    const hasEnded = this.#hasEnded;
    this.#hasEnded = false;
    const active = rules.filter(({ state }) => state !== 'paused');
    for (const id of this.#watched.keys()) if (!active.some((rule) => rule.id === id)) await this.#forget(id);
    for (const rule of active) {
      if (this.#isStopping) return;
      await this.#lookIfDue(rule, active.length, hasEnded);
    }
  }

  async #forget(ruleId: number): Promise<void> {
    this.#watched.get(ruleId)?.watch.stop();
    this.#watched.delete(ruleId);
    await this.#deps.threads.call(ruleId, 'forget', [ruleId]).catch(() => {});
  }

  async #lookIfDue(rule: CaptureRuleRow, rules: number, hasEnded: boolean): Promise<void> {
    const { clock, captureRules, log } = this.#deps;
    const one = this.#watched.get(rule.id) ?? { watch: new RuleWatch(this.#deps), nextAt: 0, isReachable: true };
    this.#watched.set(rule.id, one);
    if (clock.steady() < one.nextAt) {
      // An ended registration is shown at once; the folder is read no sooner for it.
      if (hasEnded && one.isReachable && one.watch.isRegistering)
        await one.watch.follow(rule).catch((error: unknown) => log.warn({ err: error, rule: rule.id }, 'runs wait'));
      return;
    }
    // A rule that begins anew has to hear of all names.
    if (rule.is_begun === 0) await this.#deps.threads.call(rule.id, 'forget', [rule.id]).catch(() => {});
    await one.watch
      .look(rule, this.#mayRegister(one), rules)
      .catch((error: unknown) => log.error({ err: error, rule: rule.id }, 'a watched folder was not read'));
    one.isReachable = (await captureRules.byId(rule.id))?.state === 'watching';
    const delayMs = one.watch.pace.next(this.#lookEveryMs, rules);
    one.nextAt = clock.steady() + (one.watch.isUrgent ? this.#lookEveryMs : delayMs);
    if (clock.now() - (rule.looked_at ?? 0) >= storeLookMs || clock.now() < (rule.looked_at ?? 0))
      await captureRules.looked(rule.id, clock.now(), Math.round(delayMs));
  }

  #mayRegister(one: Watched): boolean {
    const others = [...this.#watched.values()].filter(
      (other) => other !== one && other.isReachable && other.watch.isRegistering,
    );
    return others.length < maxRegistering;
  }
}
