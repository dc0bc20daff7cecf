import { Browser } from 'bonjour-service';
import type { MulticastDNS } from 'multicast-dns';
import os from 'node:os';
import type { Logger } from 'pino';
import type { DiscoveredServer } from '../contract/servers.ts';
import { openMulticast } from '../network/multicast.ts';
import { discoveredAddress, nearAddresses } from './discovered-address.ts';

export interface Discovery {
  /**
   * Benchports announced on the network now; the caller, who knows the list of servers, adds
   * `added`.
   */
  servers(): Promise<readonly Omit<DiscoveredServer, 'added'>[]>;
  close(): void;
}

interface Listener {
  readonly socket: MulticastDNS;
  readonly browser: Browser;
}

// Milliseconds. Responses arrive within a fraction of a second (RFC 6762 section 6).
const defaultTimings = { stopAfter: 30_000, firstAnswers: 1000 };
const maxNetworks = 8;
// Services remembered at a time, above the number in any real network, so that a flood cannot fill
// the memory.
const maxServices = 500;
const maxShown = 100;

/**
 * Browses for `_benchport._tcp` on each network of this machine; stops when the list was not
 * requested for a while. Times are in milliseconds.
 */
export function discovery(log: Logger, { stopAfter, firstAnswers } = defaultTimings): Discovery {
  let listeners: readonly Listener[] = [];
  let at = '';
  let stopTimer: NodeJS.Timeout | undefined;

  function listen(addresses: readonly string[]): void {
    close();
    at = addresses.join();
    listeners = addresses.flatMap((address) => listenAt(address, log) ?? []);
  }

  function close(): void {
    clearTimeout(stopTimer);
    for (const { browser, socket } of listeners) {
      browser.stop();
      socket.destroy();
    }
    listeners = [];
  }

  return {
    servers: async () => {
      const addresses = ownAddresses();
      const renew =
        listeners.length === 0 ||
        at !== addresses.join() ||
        listeners.some(({ browser }) => browser.services.length > maxServices);
      if (renew) listen(addresses);
      else for (const { browser } of listeners) browser.update();
      clearTimeout(stopTimer);
      stopTimer = setTimeout(close, stopAfter).unref();
      if (renew) await new Promise((resolve) => setTimeout(resolve, firstAnswers).unref());
      const near = nearAddresses();
      const found = new Map<string, Omit<DiscoveredServer, 'added'>>();
      for (const { browser } of listeners) {
        browser.expire();
        for (const service of browser.services) {
          const server = discoveredAddress(service, near);
          if (server !== null && found.size < maxShown) found.set(server.base_url, server);
        }
      }
      return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name));
    },
    close,
  };
}

/** One listener for each network, because a query is sent from one address only. */
function listenAt(address: string, log: Logger): Listener | null {
  const onError = (error: unknown): void => log.debug({ err: error, address }, 'multicast DNS');
  try {
    const socket = openMulticast(address, onError);
    return { socket, browser: new Browser(socket, { type: 'benchport' }) };
  } catch (error) {
    onError(error);
    return null;
  }
}

function ownAddresses(): string[] {
  const all = Object.values(os.networkInterfaces()).flatMap(
    (list) => list?.find(({ family }) => family === 'IPv4')?.address ?? [],
  );
  return all.slice(0, maxNetworks).toSorted();
}
