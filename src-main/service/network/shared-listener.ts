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

/** The reason why sharing is wanted but not active. */
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
  /** Called after the name was announced. */
  readonly onAnnounced: () => void;
}

/** The listener for the local network with its announced name and its last failure. */
export class SharedListener {
  readonly #deps: Deps;
  readonly #name: NameOnNetwork;
  #listener: LanListener | null = null;
  /**
   * The open listener and those whose last connections are ending, each with a promise of its end.
   */
  readonly #listeners = new Map<LanListener, Promise<void>>();
  /** Null while the listener is open or not wanted. */
  failure: SharingFailure | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#name = new NameOnNetwork(deps);
  }

  /** Null while it is closed. */
  get listener(): LanListener | null {
    return this.#listener;
  }

  /** The announced name; null before the announcement. */
  get name(): string | null {
    return this.#name.name;
  }

  /** The address for other machines; null while it is closed. */
  get url(): string | null {
    return this.#listener && urlOf(this.#listener, this.#listener.address);
  }

  /** The address by host name; null while it is closed or not announced. */
  get nameUrl(): string | null {
    return this.#listener && this.name !== null ? urlOf(this.#listener, machineNames()[2]) : null;
  }

  /** HTTP servers with connections from the network. */
  get servers(): readonly Server[] {
    return [...this.#listeners.keys()].map(({ server }) => server);
  }

  /** Resolves after the last connection has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#listeners.values());
  }

  /**
   * Whether the listener is already open with these settings; if so, only the announcement is
   * updated.
   */
  async staysOpen(at: LanAddress, settings: SharingSettings): Promise<boolean> {
    const now = this.#listener;
    if (now?.address !== at.address || now.port !== settings.port || (now.tls !== null) !== settings.tls) return false;
    if (settings.announce) this.#announceName(at, now);
    else await this.#name.withdraw();
    return true;
  }

  /** Opens the listener, or sets `failure`. */
  async open(app: App, at: LanAddress, { port, tls: byTls, announce }: SharingSettings): Promise<void> {
    const { log, limits } = this.#deps;
    try {
      const listener = await openLanListener(app, at.address, port, limits, byTls ? await this.#material() : null);
      this.#listener = listener;
      this.#listeners.set(listener, new Promise((resolve) => listener.server.once('close', resolve)));
      this.failure = null;
      log.info({ address: at.address, port, tls: byTls }, 'shared on the local network');
      if (announce) this.#announceName(at, listener);
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

  /**
   * @param cut the transfers to abort: then all connections from the network are closed, those of
   * earlier listeners too; null lets them finish.
   */
  async close(cut: Transfers | null): Promise<void> {
    await this.#name.withdraw();
    const listener = this.#listener;
    this.#listener = null;
    listener?.close(() => this.#listeners.delete(listener));
    if (!cut) return;
    for (const lanListener of this.#listeners.keys()) {
      cut.cut((response) => lanListener.has(response.req.socket), 'ended');
      lanListener.server.closeAllConnections();
    }
  }

  #announceName(at: LanAddress, { port, tls }: LanListener): void {
    this.#name.start({ at, port, certificateSha256: tls?.sha256 ?? null });
  }

  /**
   * The self-signed certificate, which is never replaced, so that users compare its fingerprint
   * only once. @throws ListenFailure
   */
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
