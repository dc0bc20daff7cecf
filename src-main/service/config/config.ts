import type { IngestLimitSettings } from './ingest-limit-settings.ts';
import type { LineSink } from '../logging/log-file.ts';
import type { ListenerLimits } from '../http/server/listener-limits.ts';
import type { InternalLocation } from './internal-location.ts';
import type { KernelCalls } from '../measurements/storage/kernel-calls.ts';
import type { TransferLimits } from '../measurements/transfers/transfers.ts';
import type { SharingEnvironment } from './sharing-environment.ts';
import type { TlsSource } from '../http/server/tls-material.ts';
import { StartError } from '../common/start-error.ts';

/** How one service runs; composed by the command line or by the desktop shell. */
export interface ServiceConfig {
  readonly dataDir: string;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Speak TLS on the door for everybody; null: plain HTTP. */
  readonly tls?: TlsSource | null;
  /** Without a trailing slash; null: `http://`, or `https://` with TLS, and the address it listens on. */
  readonly baseUrl: string | null;
  /** Addresses and networks of reverse proxies whose word about clients counts; none when left out. */
  readonly trustedProxies?: readonly string[];
  /** What nginx sends by itself after our checks, when a trusted proxy asks; nothing when left out. */
  readonly internalLocations?: readonly InternalLocation[];
  /** The private door of the desktop window. */
  readonly window: { readonly socketPath: string; readonly secret: string } | null;
  /** Asks whoever watches the service to stop it and start it again; not there without anybody. */
  readonly restart?: () => void;
  /** Hears what the service is doing while its start takes long. */
  readonly progress?: (message: string) => void;
  /** Hears that the database was found damaged while the service ran; whoever hears it stops the service. */
  readonly failed?: (error: StartError) => void;
  readonly rendererDir: string;
  readonly assetsDir: string;
  readonly version: string;
  /** What everybody's door holds of connections and slow requests; the defaults are in http/door-limits.ts. */
  readonly listenerLimits?: Partial<ListenerLimits>;
  /** How many downloads at once and how long a client may stand still; the defaults are in measurements/transfers.ts. */
  readonly transferLimits?: Partial<TransferLimits>;
  /** What sends past Node; null: nothing does; what this system has when left out. */
  readonly kernelCalls?: KernelCalls | null;
  /** How much of SDKs' errors is taken; the defaults are in errors/ingest-limits.ts. */
  readonly ingestLimits?: Partial<IngestLimitSettings>;
  /** What sharing on the local network finds around it; the defaults are in network/sharing-surroundings.ts. */
  readonly sharing?: Partial<SharingEnvironment>;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Where the lines of the log go besides its file; standard error unless told otherwise. */
  readonly log?: LineSink;
}

/**
 * A configured base URL, checked: http or https, without query, fragment or credentials; a path prefix is kept, a trailing slash is not.
 *
 * @throws StartError that says what is wrong with it.
 */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    !url ||
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    url.search ||
    url.hash ||
    url.username ||
    url.password
  ) {
    throw new StartError(
      'unexpected',
      `The base URL ${text} cannot be used. Give one like http://bench.example:7420, without user, query or fragment.`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
