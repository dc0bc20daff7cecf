import type { SettingsStore } from '../../database/settings-store.ts';
import { readIgnoreList } from '../../measurements/file-worker/ignore-list.ts';
import { scanRuleOf } from '../scanning/scan-rule.ts';
import type { NameList } from '../scanning/scan-messages.ts';
import { folderFailure } from '../scanning/folder-failure.ts';
import type { ScanThreads } from '../scanning/scan-threads.ts';
import { alone } from './alone.ts';
import type { CaptureRuleRow, CaptureRunRow } from '../store/capture-rows.ts';
import { cancelRegistration } from './cancel-registration.ts';
import { followRegistration, type FollowDeps } from './follow-runs.ts';
import { Pace } from './pace.ts';
import { reconcileNames } from './reconcile-names.ts';
import { RegisteredRuns } from './registered-runs.ts';
import { WaitingRuns } from './waiting-runs.ts';
import type { WatchClock } from './watch-clock.ts';

export type RuleWatchDeps = Omit<FollowDeps, 'differed' | 'threads'> & {
  readonly threads: ScanThreads;
  readonly settings: SettingsStore;
  /** Runs of all rules whose bytes are being read. */
  readonly shared: { reading: number };
  readonly clock: WatchClock;
  readonly changed: () => void;
};

const runsPerSlice = 200;
const maxHashing = 200;
/** Part of the known runs that may be gone when the folder has another inode. */
const maxAbsent = 0.1;

/** Looks at the folder of one rule, again and again. */
export class RuleWatch {
  readonly pace = new Pace();
  /** Whether runs of it are being registered. */
  isRegistering = false;
  readonly #deps: RuleWatchDeps;
  readonly #waiting: WaitingRuns;
  readonly #registered: RegisteredRuns;

  constructor(deps: RuleWatchDeps) {
    this.#deps = deps;
    this.#waiting = new WaitingRuns(deps, this.pace);
    this.#registered = new RegisteredRuns(deps);
  }

  /** Whether the next look confirms a sign. */
  get isUrgent(): boolean {
    return this.#waiting.isUrgent;
  }

  /** Ends what reads files of runs. */
  stop(): void {
    this.#waiting.stop();
  }

  /** One look at the folder. The rule is unreachable when the folder cannot be read. */
  async look(rule: CaptureRuleRow, mayRegister: boolean, rules: number): Promise<void> {
    const { captureRules, clock, changed } = this.#deps;
    try {
      const ignoreList = await readIgnoreList(this.#deps.settings);
      if (!(await this.#reconcile(rule, ignoreList))) return;
      if (await captureRules.setState(rule.id, 'watching', null, clock.now())) changed();
      await this.follow(rule);
      await this.#waiting.look(rule, ignoreList, mayRegister);
      await this.#registered.compare(rule, ignoreList, rules);
    } catch (error) {
      const failure = folderFailure(error);
      if (failure === null) throw error;
      await this.#unreachable(rule, failure);
    }
  }

  async #unreachable(rule: CaptureRuleRow, message: string): Promise<void> {
    const { captureRules, clock, changed } = this.#deps;
    // Reading files of a share that is away would take a place for as long as it is away.
    this.#waiting.stop();
    if (await captureRules.setState(rule.id, 'unreachable', message, clock.now())) changed();
  }

  /** @returns false when another folder is in its place. */
  async #reconcile(rule: CaptureRuleRow, ignoreList: readonly string[]): Promise<boolean> {
    const { threads, captureRules, clock, changed } = this.#deps;
    for (;;) {
      const list = await threads.call(rule.id, 'list', [scanRuleOf(rule.id, rule.settings)]);
      this.pace.add(list.cost);
      if (list.root !== rule.root) {
        if (rule.root !== null && !(await this.#isSameFolder(rule, list))) return false;
        await captureRules.setRoot(rule.id, list.root);
        // All names were learned to compare them; they are listed again to be stored.
        if (rule.root !== null && list.hasMore) {
          await threads.call(rule.id, 'forget', [rule.id]);
          return this.#reconcile({ ...rule, root: list.root }, ignoreList);
        }
      }
      if (
        await reconcileNames(
          { ...this.#deps, ignoreList, leave: async (run) => this.#leave(rule, run) },
          rule,
          list,
          clock.now(),
        )
      )
        changed();
      if (list.hasMore) continue;
      if (rule.is_begun === 0) await captureRules.begun(rule.id);
      return true;
    }
  }

  /** An unmounted share leaves a folder behind, with another inode and at most what was written to it since. */
  async #isSameFolder(rule: CaptureRuleRow, list: NameList): Promise<boolean> {
    const { captureRuns, threads } = this.#deps;
    for (let { hasMore } = list; hasMore;)
      ({ hasMore } = await threads.call(rule.id, 'list', [scanRuleOf(rule.id, rule.settings)]));
    const present = await captureRuns.present(rule.id, 0, runsPerSlice);
    const absent = await threads.call(rule.id, 'absent', [rule.id, present.map(({ name }) => name)]);
    if (absent.length <= present.length * maxAbsent) return true;
    await threads.call(rule.id, 'forget', [rule.id]);
    const what = list.total === 0 ? 'An empty folder' : 'Another folder';
    await this.#unreachable(
      rule,
      `${what} is there now, without the known runs. Connect its disk again; if it is right, edit the rule and save it.`,
    );
    return false;
  }

  /** A run that goes away while it is registered is either registered by now, or is not to be. */
  async #leave(rule: CaptureRuleRow, run: CaptureRunRow): Promise<void> {
    const { captureRuns, clock, measurements } = this.#deps;
    const id = run.measurement_id ?? '';
    await cancelRegistration(this.#deps, id);
    const state = (await measurements.byId(id))?.state;
    if (state === undefined || state === 'registering') await captureRuns.setMeasurement(run.id, null, null);
    else await followRegistration({ ...this.#deps, differed: async () => {} }, rule, run, clock.now());
  }

  /** Takes over how registrations and copies of its runs have ended. */
  async follow(rule: CaptureRuleRow): Promise<void> {
    const { captureRuns, servers, clock, changed } = this.#deps;
    const deps = { ...this.#deps, differed: async (run: CaptureRunRow) => this.#waiting.differed(run) };
    const hashing = await captureRuns.inStates(rule.id, ['hashing'], 0, maxHashing * 2);
    this.isRegistering = hashing.length > 0;
    for (const run of hashing)
      await alone(this.#deps.log, run, async () => {
        if (await followRegistration(deps, rule, run, clock.now())) changed();
      });
    const server = rule.settings.push_to === null ? null : await servers.byId(rule.settings.push_to);
    if (server && (await captureRuns.pushed(rule.id, server.base_url, clock.now())) > 0) changed();
    if ((await captureRuns.measurementsRemoved(rule.id, clock.now())) > 0) changed();
    if ((await captureRuns.measurementsRestored(rule.id, clock.now())) > 0) changed();
  }
}
