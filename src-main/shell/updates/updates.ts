import type { Updates, UpdateAction, UpdateHindrance, UpdatesOff, UpdateState } from '../../../src-preload/bridge.ts';
import { installAtEnd, isTimeToLook, updateFailure, type EndingFor } from './update-rules.ts';

/** Downloads and installs updates, without deciding when. */
export interface UpdateEngine {
  /**
   * @returns the newest version; null if it is not newer than this one.
   * @throws if the feed cannot be read or verified
   */
  look(): Promise<string | null>;
  /**
   * Downloads the version that `look` found.
   * @param progress called with a fraction, 0 to 1
   */
  fetch(progress: (fraction: number) => void): Promise<void>;
  /**
   * Installs the downloaded version.
   * @returns true if the installer ends the application by itself.
   */
  install(restart: boolean): boolean;
}

export interface UpdateDeps {
  readonly version: string;
  readonly channel: string;
  /** Loads the engine at the first check; or the reason why this copy gets no updates. */
  readonly engine: (() => Promise<UpdateEngine>) | UpdatesOff;
  readonly wants: () => { readonly look: boolean; readonly fetch: boolean };
  /** The work in progress that must not be interrupted. */
  readonly hindrances: () => Promise<readonly UpdateHindrance[]>;
  /** Notifies the user that a version is available or ready to install. */
  readonly tell: (version: string, isReady: boolean) => void;
  /** Quits without a confirmation. */
  readonly quit: () => void;
  readonly now: () => number;
  readonly later: (act: () => void, milliseconds: number) => void;
}

const minute = 60_000;
/** Delays the first check, so that it does not slow down the start. */
const checkAfterMs = minute / 2;
const retryAfterMs = 60 * minute;
const resetAfterMs = minute / 12;

/**
 * State machine of updates: check, download if wanted, install once the user has agreed and no work
 * is in progress.
 */
export class DesktopUpdates {
  readonly #deps: UpdateDeps;
  #state: UpdateState;
  #engine: UpdateEngine | null = null;
  #lookedAt: number | null = null;
  #endsForUpdate = false;
  #told: string | null = null;

  constructor(deps: UpdateDeps) {
    this.#deps = deps;
    this.#state = typeof deps.engine === 'string' ? { kind: 'off', why: deps.engine } : { kind: 'quiet' };
  }

  /** Starts the periodic checks, which run only while the user wants them. */
  start(): void {
    if (typeof this.#deps.engine !== 'string') this.#deps.later(() => this.#tick(), checkAfterMs);
  }

  read(): Updates {
    const { version, channel } = this.#deps;
    return {
      version,
      channel,
      lookedAt: this.#lookedAt === null ? null : new Date(this.#lookedAt).toISOString(),
      state: this.#state,
    };
  }

  /** Performs an action of the user; one that does not fit the current state is ignored. */
  async act(action: UpdateAction): Promise<Updates> {
    const state = this.#state;
    if (action === 'look') await this.#look();
    else if (action === 'fetch' && state.kind === 'found') void this.#fetch(state.version);
    else if (state.kind === 'ready') {
      if (action === 'install' && state.install !== 'when-calm') await this.#installWhenCalm(state.version);
      if (action === 'install-at-quit') this.#state = { ...state, install: 'at-quit', waitsFor: [] };
      if (action === 'not-now') this.#state = { ...state, install: 'asks', waitsFor: [] };
    }
    return this.read();
  }

  /**
   * Installs, at the end of the application, what is due then.
   * @returns true if the installer ends the application by itself.
   */
  end(isSessionsEnd: boolean): boolean {
    const ending: EndingFor = this.#endsForUpdate ? 'update' : isSessionsEnd ? 'session' : 'user';
    const install = installAtEnd(this.#state, ending);
    return install !== null && this.#engine !== null && this.#engine.install(install.restart);
  }

  #tick(): void {
    const isIdle = this.#state.kind === 'quiet' || this.#state.kind === 'failed' || this.#state.kind === 'found';
    if (isIdle && this.#deps.wants().look && isTimeToLook(this.#lookedAt, this.#deps.now())) void this.#look();
    this.#deps.later(() => this.#tick(), retryAfterMs);
  }

  async #look(): Promise<void> {
    const { engine, wants, now } = this.#deps;
    const { kind } = this.#state;
    if (typeof engine === 'string' || kind === 'looking' || kind === 'fetching' || kind === 'ready') return;
    this.#state = { kind: 'looking' };
    try {
      this.#engine ??= await engine();
      const version = await this.#engine.look();
      this.#lookedAt = now();
      if (version === null) {
        this.#state = { kind: 'quiet' };
        return;
      }
      this.#state = { kind: 'found', version };
      if (wants().fetch) void this.#fetch(version);
      else this.#tell(version, false);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #fetch(version: string): Promise<void> {
    this.#state = { kind: 'fetching', version, fraction: 0 };
    try {
      await this.#engine?.fetch((fraction) => {
        if (this.#state.kind === 'fetching') this.#state = { kind: 'fetching', version, fraction };
      });
      this.#state = { kind: 'ready', version, install: 'asks', waitsFor: [] };
      this.#tell(version, true);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Quits to install the update, now or as soon as no work is in progress. */
  async #installWhenCalm(version: string): Promise<void> {
    const waitsFor = await this.#deps.hindrances();
    this.#state = { kind: 'ready', version, install: 'when-calm', waitsFor };
    if (waitsFor.length > 0) {
      this.#deps.later(() => {
        if (this.#state.kind === 'ready' && this.#state.install === 'when-calm') void this.#installWhenCalm(version);
      }, resetAfterMs);
      return;
    }
    this.#endsForUpdate = true;
    this.#deps.quit();
  }

  /** Notifies once per version and state. */
  #tell(version: string, isReady: boolean): void {
    const told = `${version} ${isReady}`;
    if (this.#told === told) return;
    this.#told = told;
    this.#deps.tell(version, isReady);
  }

  #fail(error: unknown): void {
    console.error(`The update failed: ${error instanceof Error ? error.message : String(error)}`);
    this.#state = { kind: 'failed', message: updateFailure(error) };
  }
}
