import type { Server } from 'node:http';
import { ownerAccount } from '../accounts/store/owner.ts';
import type { Sharing as SharingState, SharingChange, SharingTest } from '../contract/sharing.ts';
import type { App } from '../http/app.ts';
import { descriptorLimit, withinDescriptors } from '../http/server/descriptor-limit.ts';
import { defaultLanListenerLimits } from '../http/server/listener-limits.ts';
import { HttpProblem, invalidRequest } from '../common/problem.ts';
import type { Transfers } from '../measurements/transfers/transfers.ts';
import { firewallHint, thisSystem } from './firewall-hint.ts';
import { addressToUse, machineNames } from '../http/server/lan-addresses.ts';
import { addressGone } from './lan-listener.ts';
import type { SelfTest } from './self-test.ts';
import { SharedListener } from './shared-listener.ts';
import { readSharingSettings, writeSharingSettings, type SharingSettings } from './sharing-settings.ts';
import { systemEnvironment, type SharingEnvironment } from '../config/sharing-environment.ts';
import type { TlsMaterial } from '../http/server/tls-material.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { AccountStores } from '../accounts/store/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

export type SharingDeps = Pick<AccountStores, 'users'> &
  Pick<ServiceContext, 'events' | 'log' | 'settings'> & {
    readonly config: ServiceConfig;
    readonly selfTest: SelfTest;
  };

const needsPassword =
  "The owner's account has no password yet. Set one first, so that others who find this service cannot use it.";

/**
 * Shares the service on the local network by a separate listener. It is open while sharing is
 * switched on, the owner's account has a password and the address exists; changes of addresses and
 * ports are polled every few seconds.
 */
export class Sharing {
  readonly #deps: SharingDeps;
  readonly #environment: SharingEnvironment;
  #app: App | null = null;
  #transfers: Transfers | null = null;
  readonly #sharedListener: SharedListener;
  #lastNotified = '';
  #timer: NodeJS.Timeout | null = null;
  #lastTask: Promise<unknown> = Promise.resolve();

  constructor(deps: SharingDeps) {
    this.#deps = deps;
    this.#environment = { ...systemEnvironment, ...deps.config.sharing };
    const { dataDir, version } = deps.config;
    const limits = withinDescriptors(
      { ...defaultLanListenerLimits, ...this.#environment.limits },
      descriptorLimit(),
      1 / 3,
    );
    this.#sharedListener = new SharedListener({
      dataDir,
      version,
      log: deps.log,
      limits,
      onAnnounced: () => this.#notify(),
    });
  }

  /** The address for other machines; null while not shared. */
  get url(): string | null {
    return this.#sharedListener.url;
  }

  /** TLS key and certificate of the shared listener; null while not shared, or with http. */
  get tls(): TlsMaterial | null {
    return this.#sharedListener.listener?.tls ?? null;
  }

  /** Whether a host name or address, in lower case, belongs to the shared listener. */
  readonly answersTo = (name: string): boolean => {
    const { listener } = this.#sharedListener;
    return listener !== null && (name === listener.address || machineNames().includes(name));
  };

  /** HTTP servers with connections from the network, for the shutdown. */
  get servers(): readonly Server[] {
    return this.#sharedListener.servers;
  }

  /**
   * Resumes sharing and starts polling. Only with a window; a headless service is configured by
   * `--host`.
   */
  async start(app: App, transfers: Transfers): Promise<void> {
    if (this.#deps.config.window === null) return;
    this.#app = app;
    this.#transfers = transfers;
    await this.#serialize(() => this.#reconcile());
    this.#timer = setInterval(() => {
      void this.#serialize(() => this.#reconcile()).catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'the state of sharing could not be checked'),
      );
    }, this.#environment.checkEveryMs).unref();
  }

  /** Stops accepting connections and withdraws the name; running requests may finish. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#serialize(async () => {
      this.#app = null;
      await this.#sharedListener.close(null);
    });
  }

  /** Resolves after the last connection has ended. */
  async ended(): Promise<void> {
    await this.#sharedListener.ended();
  }

  async state(): Promise<SharingState> {
    const settings = await readSharingSettings(this.#deps.settings);
    const { url, name, nameUrl, failure } = this.#sharedListener;
    return {
      on: url !== null,
      wanted: settings.wanted,
      problem: failure?.problem ?? null,
      message: failure?.message ?? null,
      needs_password: !(await this.#ownerHasPassword()),
      address: settings.address,
      port: settings.port,
      free_port: failure?.freePort ?? null,
      announce: settings.announce,
      tls: settings.tls,
      certificate_sha256: this.tls?.sha256 ?? null,
      url,
      name,
      name_url: nameUrl,
      interfaces: [...this.#environment.addresses()],
      firewall: await firewallHint(settings.port, settings.announce, thisSystem),
    };
  }

  /**
   * @throws HttpProblem 409 `needs-password`; 400 for an address that this machine does not have.
   */
  async change(change: SharingChange): Promise<SharingState> {
    await this.#serialize(async () => {
      const before = await readSharingSettings(this.#deps.settings);
      const { on, ...others } = change;
      if (on === true && !(await this.#ownerHasPassword()))
        throw new HttpProblem(409, needsPassword, { type: 'needs-password' });
      const { address } = others;
      if (
        typeof address === 'string' &&
        address !== before.address &&
        !this.#environment.addresses().some((one) => one.address === address)
      ) {
        throw invalidRequest(`${address} is not an address of this machine on a network.`);
      }
      await writeSharingSettings(this.#deps.settings, { ...before, ...others, wanted: on ?? before.wanted });
      await this.#reconcile();
    });
    return this.state();
  }

  /** @throws HttpProblem 409 while not shared. */
  async test(): Promise<SharingTest> {
    const { url } = this;
    if (url === null) throw new HttpProblem(409, 'This service is not shared now. Switch sharing on first.');
    const result = await this.#deps.selfTest.run(url, this.tls?.sha256 ?? null);
    await this.#serialize(async () => {
      if (this.url !== url) return;
      this.#sharedListener.failure = result.reachable
        ? null
        : { problem: 'not-reachable', message: result.message, freePort: null };
      this.#notify();
    });
    return result;
  }

  /** Opens or closes the listener as settings and addresses require. */
  async #reconcile(): Promise<void> {
    const app = this.#app;
    if (!app) return;
    const settings = await readSharingSettings(this.#deps.settings);
    if (!settings.wanted) {
      await this.#sharedListener.close(this.#transfers);
      this.#sharedListener.failure = null;
    } else await this.#ensureOpen(app, settings);
    this.#notify();
  }

  async #ensureOpen(app: App, settings: SharingSettings): Promise<void> {
    const sharedListener = this.#sharedListener;
    const at = addressToUse(this.#environment.addresses(), settings.address, sharedListener.listener?.address);
    if (at && (await sharedListener.staysOpen(at, settings))) return;
    // A lost address may return soon, and its transfers with it; if the user chose another address,
    // old connections are closed.
    await sharedListener.close(sharedListener.listener !== null && at !== undefined ? this.#transfers : null);
    if (!(await this.#ownerHasPassword()))
      sharedListener.failure = { problem: 'needs-password', message: needsPassword, freePort: null };
    else if (at) await sharedListener.open(app, at, settings);
    else sharedListener.failure = { problem: 'address-gone', message: addressGone(settings.address), freePort: null };
  }

  async #ownerHasPassword(): Promise<boolean> {
    const owner = await ownerAccount(this.#deps.settings, this.#deps.users);
    return owner !== null && owner.password_hash !== null;
  }

  /** Notifies open screens of changes. */
  #notify(): void {
    const news = JSON.stringify([
      this.url,
      this.#sharedListener.failure,
      this.#sharedListener.name,
      this.#environment.addresses(),
    ]);
    if (news === this.#lastNotified) return;
    this.#lastNotified = news;
    this.#deps.events.emit('changed', { topic: 'sharing' });
    this.#deps.events.emit('changed', { topic: 'service' });
  }

  /** Serializes changes, polls and the shutdown. */
  #serialize<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastTask.then(work);
    this.#lastTask = done.catch(() => undefined);
    return done;
  }
}
