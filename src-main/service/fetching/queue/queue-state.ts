import type { FetchSettings } from '../../contract/fetch-settings.ts';
import type { FetchEngine } from '../engine/types.ts';
import type { KnownServer } from './fetch-servers.ts';
import { readFetchSettings, writeFetchSettings } from './fetch-settings.ts';
import type { QueueDeps } from './queue-context.ts';

/** The settings and servers of a started queue, and its engine, to which their limits apply. */
export class QueueState {
  readonly #deps: Pick<QueueDeps, 'settings' | 'servers' | 'startEngine'>;
  #settings: FetchSettings | null = null;
  #servers: readonly KnownServer[] = [];
  #engine: FetchEngine | null = null;

  constructor(deps: Pick<QueueDeps, 'settings' | 'servers' | 'startEngine'>) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    this.#settings = await readFetchSettings(this.#deps.settings);
    this.#servers = await this.#deps.servers.all();
  }

  get isLoaded(): boolean {
    return this.#settings !== null;
  }

  get settings(): FetchSettings {
    if (!this.#settings) throw new Error('the queue was not started');
    return this.#settings;
  }

  get servers(): readonly KnownServer[] {
    return this.#servers;
  }

  /** Started on first use. */
  get engine(): FetchEngine {
    if (!this.#engine) {
      this.#engine = this.#deps.startEngine();
      this.#limit();
    }
    return this.#engine;
  }

  async changeSettings(wanted: FetchSettings): Promise<void> {
    await writeFetchSettings(this.#deps.settings, wanted);
    this.#settings = wanted;
    this.#limit();
  }

  async reloadServers(): Promise<void> {
    this.#servers = await this.#deps.servers.all();
    this.#limit();
  }

  async closeEngine(): Promise<void> {
    await this.#engine?.close();
  }

  #limit(): void {
    const ofServers = this.#servers.flatMap(({ base_url: url, speed_limit: limit }) =>
      limit === null ? [] : [[url, limit] as const],
    );
    this.#engine?.limit(this.settings.speed_limit, new Map(ofServers));
  }
}
