import type { DatabaseSettings } from '../database/database-settings.ts';
import type { IngestLimitSettings } from './ingest-limit-settings.ts';
import type { LineSink } from '../logging/log-file.ts';
import type { ListenerLimits } from '../http/server/listener-limits.ts';
import type { InternalLocation } from './internal-location.ts';
import type { KernelCalls } from '../measurements/storage/kernel-calls.ts';
import type { TransferLimits } from '../measurements/transfers/transfers.ts';
import type { SharingEnvironment } from './sharing-environment.ts';
import type { S3Settings } from '../object-storage/s3-settings.ts';
import type { TlsSource } from '../http/server/tls-material.ts';
import { StartError } from '../common/start-error.ts';

/** The configuration of one service, composed by the command line or by the desktop shell. */
export interface ServiceConfig {
  readonly dataDir: string;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** TLS of the TCP listener; null: plain HTTP. */
  readonly tls?: TlsSource | null;
  /**
   * Without a trailing slash; null: `http://`, or `https://` with TLS, and the address it listens
   * on.
   */
  readonly baseUrl: string | null;
  /**
   * Addresses and networks of reverse proxies whose headers about clients are trusted; none when
   * left out.
   */
  readonly trustedProxies?: readonly string[];
  /**
   * Folders that nginx sends itself after our checks, when a trusted proxy asks for it; none when
   * left out.
   */
  readonly internalLocations?: readonly InternalLocation[];
  /** The private socket of the desktop window. */
  readonly window: { readonly socketPath: string; readonly secret: string } | null;
  /** Asks the process that supervises the service to restart it; left out without one. */
  readonly restart?: () => void;
  /** Called with the current step while the start takes long. */
  readonly progress?: (message: string) => void;
  /**
   * Called when the database is found damaged while the service runs; the callee stops the service.
   */
  readonly failed?: (error: StartError) => void;
  readonly rendererDir: string;
  readonly assetsDir: string;
  readonly version: string;
  /**
   * Limits of the TCP listener for connections and slow requests; the defaults are in
   * http/server/listener-limits.ts.
   */
  readonly listenerLimits?: Partial<ListenerLimits>;
  /**
   * Maximum of concurrent downloads, and timeout of a stalled client; the defaults are in
   * measurements/transfers/transfers.ts.
   */
  readonly transferLimits?: Partial<TransferLimits>;
  /** System calls that send past Node; null: none; those of this system when left out. */
  readonly kernelCalls?: KernelCalls | null;
  /** Whether it looks regularly for what is told without anybody's doing; true when left out. */
  readonly watches?: boolean;
  /** Limits of the intake of SDKs' errors; the defaults are in errors/ingest/ingest-limits.ts. */
  readonly ingestLimits?: Partial<IngestLimitSettings>;
  /**
   * The surroundings of sharing on the local network; the defaults are in
   * network/sharing-environment.ts.
   */
  readonly sharing?: Partial<SharingEnvironment>;
  /** The PostgreSQL of a facility; SQLite in the data directory when null or left out. */
  readonly database?: DatabaseSettings | null;
  /** The folder of library files that all replicas share; in the data directory when left out. */
  readonly libraryDir?: string;
  /** `none` for replicas that share no folder, and keep everything in the object storage. */
  readonly library?: 'none';
  /** The bucket that archives of measurements are kept in; folders when null or left out. */
  readonly objectStorage?: S3Settings | null;
  /** The cache of its blocks: a folder of this process alone, and its size in bytes. */
  readonly blockCache?: { readonly folder: string; readonly maxBytes: number };
  /** The secret key that all replicas share; in the data directory when left out. */
  readonly secretKeyFile?: string;
  /** How long running downloads go on while the database does not answer; 10 s when left out. */
  readonly accessGraceMs?: number;
  /**
   * How long a service that stops says so before it refuses connections, so that a balancer sends
   * new requests elsewhere; not at all when left out.
   */
  readonly drainMs?: number;
  /** Under which messages name this process among others; the name of the machine when left out. */
  readonly replicaName?: string;
  /** Milliseconds between two looks at a watched folder; five seconds when left out. */
  readonly lookEveryMs?: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** A second destination of log lines besides the log's file; standard error when left out. */
  readonly log?: LineSink;
}

/**
 * Validates a configured base URL: http or https, without query, fragment or credentials; a path
 * prefix is kept, a trailing slash is not.
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
