import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { SharingProblem } from '../contract/sharing.ts';
import type { App } from '../http/app.ts';
import type { ListenerLimits } from '../http/server/listener-limits.ts';
import type { Transfers } from '../measurements/transfers/transfers.ts';
import { machineNames, type LanAddress } from '../http/server/lan-addresses.ts';
import { ListenFailure, nextFreePort, openLanListener, type LanListener } from './lan-listener.ts';
import { NameOnNetwork } from './name-on-network.ts';
import type { SharingSettings } from './sharing-settings.ts';
import { tlsMaterial, type TlsMaterial } from '../http/server/tls-material.ts';

/** Why others are not listened to, though they should be. */
export interface SharingFailure {
  readonly problem: SharingProblem;
  readonly message: string;
  readonly freePort: number | null;
}

interface Deps {
  readonly dataDir: string;
  readonly version: string;
  readonly log: Logger;
  readonly limits: ListenerLimits;
  /** Called once its name is known. */
  readonly onTold: () => void;
}

/** The door for the local network: open or not, with its name there, and what is in its way. */
export class SharedListener {
  readonly #deps: Deps;
  readonly #name: NameOnNetwork;
  #listener: LanListener | null = null;
  /** The open door and those that let their last connections end, with their end. */
  readonly #listeners = new Map<LanListener, Promise<void>>();
  /** Null when it is open, or need not be. */
  failure: SharingFailure | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#name = new NameOnNetwork(deps);
  }

  /** Null while it is closed. */
  get listener(): LanListener | null {
    return this.#listener;
  }

  /** Under which the network knows it; null until it is told. */
  get name(): string | null {
    return this.#name.name;
  }

  /** What others type; null while it is closed. */
  get url(): string | null {
    return this.#listener && urlOf(this.#listener, this.#listener.address);
  }

  /** The same by its name. */
  get nameUrl(): string | null {
    return this.#listener && this.name !== null ? urlOf(this.#listener, machineNames()[2]) : null;
  }

  /** What holds connections from the network. */
  get servers(): readonly Server[] {
    return [...this.#listeners.keys()].map(({ server }) => server);
  }

  /** Waits for the last connection to end. */
  async ended(): Promise<void> {
    await Promise.all(this.#listeners.values());
  }

  /** Whether it is open just so; then only its name follows what is wanted. */
  async staysOpen(at: LanAddress, settings: SharingSettings): Promise<boolean> {
    const now = this.#listener;
    if (now?.address !== at.address || now.port !== settings.port || (now.tls !== null) !== settings.tls) return false;
    if (settings.announce) this.#tellName(at, now);
    else await this.#name.takeBack();
    return true;
  }

  /** Opens it, or has trouble. */
  async open(app: App, at: LanAddress, { port, tls: byTls, announce }: SharingSettings): Promise<void> {
    const { log, limits } = this.#deps;
    try {
      const listener = await openLanListener(app, at.address, port, limits, byTls ? await this.#material() : null);
      this.#listener = listener;
      this.#listeners.set(listener, new Promise((resolve) => listener.server.once('close', resolve)));
      this.failure = null;
      log.info({ address: at.address, port, tls: byTls }, 'shared on the local network');
      if (announce) this.#tellName(at, listener);
    } catch (error) {
      if (!(error instanceof ListenFailure)) throw error;
      const { problem, message, cause } = error;
      if (this.failure?.problem === problem && this.failure.message === message) return;
      this.failure = {
        problem,
        message,
        freePort: problem === 'port-in-use' ? await nextFreePort(at.address, port) : null,
      };
      log.warn({ err: cause, address: at.address, port }, message);
    }
  }

  /** @param cut what is being sent, when connections from the network end with it, those of earlier addresses too; null lets them end. */
  async close(cut: Transfers | null): Promise<void> {
    await this.#name.takeBack();
    const listener = this.#listener;
    this.#listener = null;
    listener?.close(() => this.#listeners.delete(listener));
    if (!cut) return;
    for (const lanListener of this.#listeners.keys()) {
      cut.cut((response) => lanListener.has(response.req.socket), 'ended');
      lanListener.server.closeAllConnections();
    }
  }

  #tellName(at: LanAddress, { port, tls }: LanListener): void {
    this.#name.tell({ at, port, certificateSha256: tls?.sha256 ?? null });
  }

  /** The certificate made here, the same for good: whoever has compared its fingerprint must not have to again. @throws ListenFailure */
  async #material(): Promise<TlsMaterial> {
    try {
      return await tlsMaterial({ kind: 'self-signed' }, this.#deps.dataDir);
    } catch (error) {
      throw new ListenFailure('unexpected', error instanceof Error ? error.message : String(error), error);
    }
  }
}

function urlOf({ port, tls }: LanListener, host: string): string {
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
