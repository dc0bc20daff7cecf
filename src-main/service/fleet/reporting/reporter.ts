import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Events } from '../../common/events.ts';
import { repeatedly } from '../../common/repeatedly.ts';
import type { BenchGoing } from '../../contract/fleet/fleet.ts';
import type { ServerStores } from '../../servers/stores.ts';
import type { ReportRefusals } from '../../servers/report-refusals.ts';
import { collectCopies, collectReport, isImportant, type CollectDeps, type SharedContent } from './collect-report.ts';
import { ReportTarget, type TargetDeps } from './report-target.ts';

export type ReporterDeps = CollectDeps &
  TargetDeps &
  ServerStores & {
    readonly events: Pick<Events, 'subscribe' | 'emit'>;
    readonly reportRefusals: ReportRefusals;
    readonly log: Pick<Logger, 'info' | 'warn'>;
    /** How often it looks whether something is to be reported. */
    readonly lookEveryMs: number | undefined;
  };

const defaultLookEveryMs = 5000;
/** Servers are looked up again after so many looks, because commands add copies too. */
const serversEveryLooks = 6;
const maxGoodbyeMs = 2000;
/** A computer that did not go to sleep after all reports again after this. */
const heldAsleepMs = 30_000;
const topics: ReadonlySet<string> = new Set(['captures', 'copies', 'measurements']);

/** Reports of this bench to the servers that it pushes to. */
export class Reporter {
  readonly #deps: ReporterDeps;
  readonly #stopping = new AbortController();
  #targets = new Map<string, ReportTarget>();
  #told: SharedContent | null = null;
  #looks = 0;
  #mayHaveChanged = false;
  #serversChanged = true;
  #unsubscribe: () => void = () => {};
  #end: () => Promise<void> = async () => {};

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { events, log, lookEveryMs = defaultLookEveryMs } = this.#deps;
    this.#unsubscribe = events.subscribe((name, event) => {
      if (name !== 'changed' || !('topic' in event)) return;
      if (event.topic === 'servers') this.#serversChanged = true;
      if (topics.has(event.topic)) this.#mayHaveChanged = true;
    });
    this.#end = repeatedly(
      lookEveryMs,
      async () => this.#look(),
      (error) => log.warn({ err: error }, 'nothing was reported to the servers'),
    );
  }

  /** Says goodbye, which takes two seconds at most, and reports no more. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    const end = this.#end();
    await this.#goodbye('closing');
    this.#stopping.abort();
    await end;
  }

  /** The computer goes to sleep. */
  async suspend(): Promise<void> {
    for (const target of this.#targets.values()) target.hold(heldAsleepMs);
    await this.#goodbye('asleep');
    for (const target of this.#targets.values()) target.hold(heldAsleepMs);
  }

  /** The computer woke up. */
  resume(): void {
    for (const target of this.#targets.values()) target.wake();
  }

  async #look(): Promise<void> {
    if (this.#serversChanged || this.#looks % serversEveryLooks === 0) await this.#findTargets();
    this.#looks += 1;
    if (this.#targets.size === 0 || this.#stopping.signal.aborted) return;
    if (this.#mayHaveChanged) await this.#hurryIfImportant();
    const due = [...this.#targets.values()].filter((target) => target.isDue());
    if (due.length === 0) return;
    const told = await collectReport(this.#deps, this.#deps.now());
    this.#told = told;
    await Promise.all(due.map(async (target) => this.#report(target, told, null)));
  }

  async #hurryIfImportant(): Promise<void> {
    this.#mayHaveChanged = false;
    if (isImportant(this.#told, await collectReport(this.#deps, this.#deps.now())))
      for (const target of this.#targets.values()) target.hurry();
  }

  async #findTargets(): Promise<void> {
    this.#serversChanged = false;
    const { reported, servers } = this.#deps;
    const targets = new Map<string, ReportTarget>();
    for (const id of await reported.pushServers()) {
      const access = await servers.source(id);
      if (access === null) continue;
      // Another token or certificate begins anew.
      const key = JSON.stringify([access.baseUrl, access.token, access.certificate]);
      targets.set(key, this.#targets.get(key) ?? new ReportTarget(this.#deps, access));
    }
    this.#targets = targets;
  }

  /** @returns whether it was answered. */
  async #report(target: ReportTarget, told: SharedContent, going: BenchGoing | null): Promise<boolean> {
    const content = { ...told, copies: await collectCopies(this.#deps, target.baseUrl) };
    const end = await target.report(content, going, this.#stopping.signal);
    if (end.kind === 'failed') return false;
    this.#remember(target.baseUrl, end.kind === 'refused' ? end.message : null);
    return true;
  }

  #remember(server: string, message: string | null): void {
    const { reportRefusals, events, log } = this.#deps;
    if (!reportRefusals.set(server, message)) return;
    if (message === null) log.info({ server }, 'the server takes reports of this bench again');
    else log.info({ server, message }, 'the server takes no reports of this bench; it is asked again tomorrow');
    events.emit('changed', { topic: 'servers' });
  }

  async #goodbye(going: BenchGoing): Promise<void> {
    const told = this.#told;
    if (told === null) return;
    const known = [...this.#targets.values()].filter((target) => target.isKnown);
    const send = async (target: ReportTarget): Promise<void> => {
      // One that is lost would make its absence look unusual.
      if (!(await this.#report(target, told, going))) await this.#report(target, told, going);
    };
    const sent = Promise.all(known.map(send)).catch(() => undefined);
    await Promise.race([sent, sleep(maxGoodbyeMs, undefined, { ref: false })]);
  }
}
