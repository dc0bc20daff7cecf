import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { ownerAccount } from '../accounts/owner.ts';
import type { Sharing as SharingState, SharingChange, SharingProblem, SharingTest } from '../contract/sharing.ts';
import type { App } from '../http/app.ts';
import { usualLanLimits } from '../http/door-limits.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Transfers } from '../measurements/transfers.ts';
import type { Services } from '../services.ts';
import { firewallHint, thisSystem } from './firewall-hint.ts';
import { addressToUse, machineNames, type LanAddress } from './lan-addresses.ts';
import { addressGone, ListenFailure, nextFreePort, openLanListener, type LanListener } from './lan-listener.ts';
import { NameOnNetwork } from './name-on-network.ts';
import type { SelfTest } from './self-test.ts';
import { readSharingSettings, writeSharingSettings, type SharingSettings } from './sharing-settings.ts';
import { usualSurroundings, type SharingSurroundings } from './sharing-surroundings.ts';
import { tlsMaterial, type TlsMaterial } from './tls-material.ts';

export interface SharingNeeds extends Pick<Services, 'settings' | 'users' | 'events' | 'config'> {
  readonly log: Logger;
  readonly selfTest: SelfTest;
}

interface Trouble {
  readonly problem: SharingProblem;
  readonly message: string;
  readonly freePort: number | null;
}

const needsPassword = "The owner's account has no password yet. Set one first: then others who find this service meet a locked door.";

/**
 * Sharing on the local network, from the window: a door of its own beside the loopback's, open while it is wanted, the owner's account has a password
 * and the address is there. What changes outside (an address that goes or comes, a port that is freed) is looked for every few seconds.
 */
export class Sharing {
  readonly #needs: SharingNeeds;
  readonly #around: SharingSurroundings;
  #app: App | null = null;
  #transfers: Transfers | null = null;
  #listener: LanListener | null = null;
  readonly #name: NameOnNetwork;
  #trouble: Trouble | null = null;
  /** The open door and those that let their last connections end, with their end. */
  readonly #doors = new Map<LanListener, Promise<void>>();
  #told = '';
  #timer: NodeJS.Timeout | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(needs: SharingNeeds) {
    this.#needs = needs;
    this.#around = { ...usualSurroundings, ...needs.config.sharing };
    this.#name = new NameOnNetwork({ version: needs.config.version, log: needs.log, onTold: () => this.#tell() });
  }

  /** What others type; null while nobody else is listened to. */
  get url(): string | null {
    return this.#listener && urlOf(this.#listener, this.#listener.address);
  }

  /** What others are spoken TLS with; null while nobody else is listened to, or by http. */
  get tls(): TlsMaterial | null {
    return this.#listener?.tls ?? null;
  }

  /** Whether a host name or address, in lower case, is one under which others reach this service now. */
  readonly answersTo = (name: string): boolean => this.#listener !== null && (name === this.#listener.address || machineNames().includes(name));

  /** What holds connections from the network, for the stop of the service. */
  get servers(): readonly Server[] {
    return [...this.#doors.keys()].map(({ server }) => server);
  }

  /** Opens the door when it was open before, and looks after it from now on. Only a service with a window has one: headless, `--host` says who is listened to. */
  async start(app: App, transfers: Transfers): Promise<void> {
    if (this.#needs.config.window === null) return;
    this.#app = app;
    this.#transfers = transfers;
    await this.#inTurn(() => this.#settle());
    this.#timer = setInterval(() => {
      void this.#inTurn(() => this.#settle()).catch((error: unknown) => this.#needs.log.warn({ err: error }, 'sharing could not be looked after'));
    }, this.#around.checkEveryMilliseconds).unref();
  }

  /** Takes no more connections and takes the name back; what runs may end. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#inTurn(async () => {
      this.#app = null;
      await this.#close({ cut: false });
    });
  }

  /** Waits for the last connection to end. */
  async ended(): Promise<void> {
    await Promise.all(this.#doors.values());
  }

  async state(): Promise<SharingState> {
    const settings = await readSharingSettings(this.#needs.settings);
    const listener = this.#listener;
    return {
      on: listener !== null,
      wanted: settings.wanted,
      problem: this.#trouble?.problem ?? null,
      message: this.#trouble?.message ?? null,
      needs_password: !(await this.#ownerHasPassword()),
      address: settings.address,
      port: settings.port,
      free_port: this.#trouble?.freePort ?? null,
      announce: settings.announce,
      tls: settings.tls,
      certificate_sha256: this.tls?.sha256 ?? null,
      url: this.url,
      name: this.#name.name,
      name_url: listener && this.#name.name !== null ? urlOf(listener, machineNames()[2]) : null,
      interfaces: [...this.#around.addresses()],
      firewall: await firewallHint(settings.port, settings.announce, thisSystem),
    };
  }

  /** @throws HttpProblem 409 `needs-password`; 400 for an address that this machine does not have. */
  async change(change: SharingChange): Promise<SharingState> {
    await this.#inTurn(async () => {
      const before = await readSharingSettings(this.#needs.settings);
      const { on, ...others } = change;
      if (on === true && !(await this.#ownerHasPassword())) throw new HttpProblem(409, needsPassword, { type: 'needs-password' });
      const { address } = others;
      if (typeof address === 'string' && address !== before.address && !this.#around.addresses().some((one) => one.address === address)) {
        throw new HttpProblem(400, `${address} is not an address of this machine on a network.`, { type: 'invalid-request' });
      }
      await writeSharingSettings(this.#needs.settings, { ...before, ...others, wanted: on ?? before.wanted });
      await this.#settle();
    });
    return this.state();
  }

  /** @throws HttpProblem 409 while it is not shared. */
  async test(): Promise<SharingTest> {
    const { url } = this;
    if (url === null) throw new HttpProblem(409, 'This service is not shared now. Switch sharing on first.');
    const result = await this.#needs.selfTest.run(url, this.tls?.sha256 ?? null);
    await this.#inTurn(async () => {
      if (this.url !== url) return;
      this.#trouble = result.reachable ? null : { problem: 'not-reachable', message: result.message, freePort: null };
      this.#tell();
    });
    return result;
  }

  /** Makes the door as it should be now. */
  async #settle(): Promise<void> {
    const app = this.#app;
    if (!app) return;
    const settings = await readSharingSettings(this.#needs.settings);
    if (!settings.wanted) {
      await this.#close({ cut: true });
      this.#trouble = null;
    } else await this.#keepOpen(app, settings);
    this.#tell();
  }

  async #keepOpen(app: App, settings: SharingSettings): Promise<void> {
    const now = this.#listener;
    const at = addressToUse(this.#around.addresses(), settings.address, now?.address);
    if (now && at && now.address === at.address && now.port === settings.port && (now.tls !== null) === settings.tls) {
      if (settings.announce) this.#tellName(at, now);
      else await this.#name.takeBack();
      return;
    }
    // An address that went may be back in a moment, and with it what was being sent; where somebody chose another, nothing of the old stays.
    await this.#close({ cut: now !== null && at !== undefined });
    if (!(await this.#ownerHasPassword())) {
      this.#trouble = { problem: 'needs-password', message: needsPassword, freePort: null };
      return;
    }
    if (!at) {
      this.#trouble = { problem: 'address-gone', message: addressGone(settings.address), freePort: null };
      return;
    }
    try {
      const tls = settings.tls ? await this.#material() : null;
      const listener = await openLanListener(app, at.address, settings.port, { ...usualLanLimits, ...this.#around.limits }, tls);
      this.#listener = listener;
      this.#doors.set(listener, new Promise((resolve) => listener.server.once('close', resolve)));
      this.#trouble = null;
      this.#needs.log.info({ address: at.address, port: settings.port, tls: settings.tls }, 'shared on the local network');
      if (settings.announce) this.#tellName(at, listener);
    } catch (error) {
      if (!(error instanceof ListenFailure)) throw error;
      const known = this.#trouble?.problem === error.problem && this.#trouble.message === error.message;
      if (known) return;
      const freePort = error.problem === 'port-in-use' ? await nextFreePort(at.address, settings.port) : null;
      this.#trouble = { problem: error.problem, message: error.message, freePort };
      this.#needs.log.warn({ err: error.cause, address: at.address, port: settings.port }, error.message);
    }
  }

  #tellName(at: LanAddress, { port, tls }: LanListener): void {
    this.#name.tell({ at, port, certificateSha256: tls?.sha256 ?? null });
  }

  /** The certificate made here, the same for good: whoever has compared its fingerprint must not have to again. @throws ListenFailure */
  async #material(): Promise<TlsMaterial> {
    try {
      return await tlsMaterial({ kind: 'self-signed' }, this.#needs.config.dataDir);
    } catch (error) {
      throw new ListenFailure('unexpected', error instanceof Error ? error.message : String(error), error);
    }
  }

  /** @param cut whether connections from the network end with it, those of earlier addresses too. */
  async #close({ cut }: { readonly cut: boolean }): Promise<void> {
    await this.#name.takeBack();
    const listener = this.#listener;
    this.#listener = null;
    listener?.close(() => this.#doors.delete(listener));
    if (!cut) return;
    for (const door of this.#doors.keys()) {
      this.#transfers?.cut((response) => door.has(response.req.socket), 'ended');
      door.server.closeAllConnections();
    }
  }

  async #ownerHasPassword(): Promise<boolean> {
    const owner = await ownerAccount(this.#needs.settings, this.#needs.users);
    return owner !== null && owner.password_hash !== null;
  }

  /** Tells open screens, when there is news. */
  #tell(): void {
    const news = JSON.stringify([this.url, this.#trouble, this.#name.name, this.#around.addresses()]);
    if (news === this.#told) return;
    this.#told = news;
    this.#needs.events.emit('changed', { topic: 'sharing' });
    this.#needs.events.emit('changed', { topic: 'service' });
  }

  /** One after the other: a switch, a look and the end must not cross. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

function urlOf({ port, tls }: LanListener, host: string): string {
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
