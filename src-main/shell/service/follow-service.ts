import type { DegradedEvent, IncomingEvent, NewErrorEvent, RatesEvent } from '../../service/contract/events.ts';
import type { Fetch, FetchPage } from '../../service/contract/fetches.ts';
import type { Sharing } from '../../service/contract/sharing.ts';
import { throttle } from '../../../src-shared/throttle.ts';
import { FetchWatch } from '../notices/fetch-watch.ts';
import type { ServiceSocket, SendToService } from './service-socket.ts';
import { listenToService } from './service-events.ts';
import type { TrayState } from '../tray/tray-template.ts';

/** Callbacks for changes that the service reports. */
export interface Followers {
  /** Something that the desktop shows has changed; called at most twice a second. */
  readonly changed: () => void;
  /** A fetch has ended or needs the user. */
  readonly fetchNews: (fetch: Fetch) => void;
  readonly newError: (event: NewErrorEvent) => void;
  readonly degraded: (event: DegradedEvent) => void;
}

/** The last known state of the service. */
export interface ServiceFollower {
  state(): TrayState;
  /** The user has looked at the window. */
  seen(): void;
  /** The service has ended and will not be restarted by itself. */
  serviceEnded(): void;
  stop(): void;
}

const list = '/api/v4/local/fetches';
const noIncoming: IncomingEvent = { down_bytes_per_second: 0, running: 0, seconds_left: null, unknown_sizes: 0 };
const noOutgoing: RatesEvent = { up_bytes_per_second: 0, up_clients: 0 };
/** Rate events arrive every second while there is traffic; longer silence means zero. */
const silenceMs = 2500;

/** Follows the service's state for the parts of the desktop that work without a page. */
export function followService(
  serviceSocket: ServiceSocket,
  sendToService: SendToService,
  followers: Followers,
): ServiceFollower {
  const watch = new FetchWatch();
  let incoming = noIncoming;
  let outgoing = noOutgoing;
  let sharing: boolean | null = null;
  const changed = throttle(500, followers.changed);
  const incomingEnds = silenceTimer(() => (incoming = noIncoming));
  const outgoingEnds = silenceTimer(() => (outgoing = noOutgoing));

  function silenceTimer(end: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        end();
        changed();
      }, silenceMs);
    };
  }

  function tell(fetch: Fetch | undefined): void {
    if (fetch) followers.fetchNews(fetch);
    changed();
  }

  async function readFetches(): Promise<void> {
    const { news, missing } = watch.replace((await sendToService(`${list}?limit=500`)) as FetchPage);
    news.forEach(tell);
    for (const id of missing) {
      const fetch = (await sendToService(`${list}/${id}`).catch(() => null)) as Fetch | null;
      if (fetch) tell(watch.observe(fetch));
      else watch.forget(id);
    }
    changed();
  }

  async function readSharing(): Promise<void> {
    sharing = ((await sendToService('/api/v4/local/sharing')) as Sharing).wanted;
    changed();
  }

  // Before the first run there is no account to answer for, and a lost service is reported by the
  // event stream.
  const quietly = (work: () => Promise<void>) => (): void => void work().catch(() => {});
  const refetchFetches = throttle(1000, quietly(readFetches));
  const refetchSharing = throttle(1000, quietly(readSharing));

  const stop = listenToService(serviceSocket, {
    opened: () => {
      refetchFetches();
      refetchSharing();
    },
    lost: () => {
      [incoming, outgoing] = [noIncoming, noOutgoing];
      changed();
    },
    fetch: (fetch) => tell(watch.observe(fetch)),
    incoming: (event) => {
      incoming = event;
      incomingEnds();
      changed();
    },
    rates: (event) => {
      outgoing = event;
      outgoingEnds();
      changed();
    },
    'new-error': followers.newError,
    degraded: followers.degraded,
    changed: ({ topic }) => {
      if (topic === 'fetches') refetchFetches();
      if (topic === 'sharing') refetchSharing();
    },
  });

  return {
    state: () => ({
      fetches: watch.summary(),
      downBytesPerSecond: incoming.down_bytes_per_second,
      secondsLeft: incoming.seconds_left,
      unknownSizes: incoming.unknown_sizes,
      upBytesPerSecond: outgoing.up_bytes_per_second,
      upClients: outgoing.up_clients,
      sharing,
    }),
    seen: () => {
      watch.seen();
      changed();
    },
    serviceEnded: () => {
      watch.clear();
      sharing = null;
      changed();
    },
    stop,
  };
}
