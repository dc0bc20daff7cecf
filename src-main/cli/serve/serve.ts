import { InvalidArgumentError, type Command } from 'commander';
import path from 'node:path';
import { parseBaseUrl, type ServiceConfig } from '../../service/config/config.ts';
import { defaultPort } from '../../service/common/default-port.ts';
import { isLoopback } from '../../service/http/server/host-check.ts';
import { readInternalLocation } from '../../service/measurements/download/x-accel-redirect.ts';
import type { InternalLocation } from '../../service/config/internal-location.ts';
import type { TlsSource } from '../../service/http/server/tls-material.ts';
import { trustedProxies } from '../../service/http/server/trusted-proxies.ts';
import { logLevel } from '../../service/logging/logging.ts';
import { programFiles } from '../../service/process/program-files.ts';
import type { RunningService } from '../../service/service.ts';
import { examples, listed, wholeNumber } from '../support/command.ts';
import { refuseUnknownVariables, variable } from '../support/environment.ts';
import { addFacilityOptions, facilitySettings, type FacilityOptions } from './facility-options.ts';
import { addStorageOptions, hasObjectStorage, storageSettings, type StorageOptions } from './storage-options.ts';
import { leaveWorkers, ofWorker, superviseWorkers, tellListening, workerCount, workerNumber } from './workers.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { CommandError, note, printJson, type Terminal } from '../support/terminal.ts';

interface Options extends FacilityOptions, StorageOptions {
  readonly data?: string;
  readonly workers?: number;
  readonly host: string;
  readonly port: number;
  readonly baseUrl?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsSelfSigned?: true;
  readonly trustedProxy?: readonly string[];
  readonly xAccel?: readonly InternalLocation[];
}

/** Downloads behind a balancer are continued elsewhere, but not before they had time to end. */
const facilityGraceMs = 30_000;

/** `benchport serve`: runs the service without a window until a signal stops it. */
export function addServe(program: Command, terminal: Terminal): void {
  const serve = program
    .command('serve')
    .description('Run the service until SIGTERM or SIGINT; prints one JSON line when it is ready')
    .option(
      '--data <dir>',
      "data directory (environment BENCHPORT_DATA; the desktop application's when neither is given)",
    )
    .option('--host <address>', 'address to listen on; 0.0.0.0 is every network of this machine', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65_535), defaultPort)
    .option('--base-url <url>', 'address under which others reach it, for links', baseUrlOption)
    .option('--tls-cert <file>', 'speak HTTPS with this certificate (PEM, with its chain)')
    .option('--tls-key <file>', 'its private key (PEM)')
    .option('--tls-self-signed', 'speak HTTPS with a certificate made here, whose fingerprint clients compare')
    .option(
      '--trusted-proxy <address>',
      'trust what this reverse proxy reports about its clients; an address or a network, may be given several times',
      proxyOption,
    )
    .option(
      '--x-accel <prefix=folder>',
      'let nginx, as a trusted proxy, send files below this folder from its internal location; may be given several times',
      internalLocationOption,
    )
    .addHelpText(
      'after',
      examples(
        'benchport serve --data /srv/benchport',
        'benchport serve --host 0.0.0.0 --tls-cert chain.pem --tls-key key.pem --base-url https://bench.lab.example:7420',
        'benchport serve --base-url https://bench.lab.example --trusted-proxy 127.0.0.1 --x-accel /benchport-files/=/srv/measurements',
      ),
    )
    .option(
      '--workers <number>',
      'run this many replicas on one port, or "auto" for one on each core; with PostgreSQL only',
      usableOption(workerCount),
    )
    .action(async (options: Options) => run(terminal, options));
  addFacilityOptions(serve);
  addStorageOptions(serve);
}

async function run(terminal: Terminal, options: Options): Promise<void> {
  refuseUnknownVariables(terminal.environment);
  const config = configOf(terminal, options);
  if (options.workers !== undefined) {
    if (!config.database)
      throw new CommandError(
        '--workers needs a PostgreSQL (BENCHPORT_DATABASE_URL): SQLite is written by one process alone.',
        2,
      );
    if (workerNumber(terminal.environment) === null) return superviseWorkers(terminal, options.workers);
  }
  return serveUntilStopped(terminal, config);
}

/** @throws CommandError (bad usage) */
function configOf(terminal: Terminal, options: Options): ServiceConfig {
  const { environment } = terminal;
  const fromEnvironment = variable(environment, 'BENCHPORT_BASE_URL');
  const baseUrl = options.baseUrl ?? (fromEnvironment === null ? null : parseBaseUrl(fromEnvironment));
  const proxies = options.trustedProxy ?? listed(variable(environment, 'BENCHPORT_TRUSTED_PROXIES') ?? '');
  if (options.xAccel && proxies.length === 0)
    throw new CommandError('--x-accel needs --trusted-proxy: nothing is handed to a proxy that is not trusted.', 2);
  trustedProxies(proxies);
  const dataDir = dataDirectory(options.data, environment);
  const worker = workerNumber(environment);
  const facility = facilitySettings(terminal, options, baseUrl, hasObjectStorage(terminal, options));
  const own = worker === null ? { dataDir } : ofWorker(worker, dataDir, facility?.replicaName ?? '');
  return {
    host: options.host,
    port: options.port,
    baseUrl,
    tls: tlsSource(options),
    trustedProxies: proxies,
    internalLocations: options.xAccel ?? [],
    window: null,
    ...facility,
    ...storageSettings(terminal, options, own.dataDir, worker),
    ...own,
    ...programFiles(terminal.programDir),
    logLevel: logLevel(environment),
  };
}

async function serveUntilStopped(terminal: Terminal, config: ServiceConfig): Promise<void> {
  // Imported here: the web server is half of the program, and no other command needs it.
  const { startService } = await import('../../service/service.ts');
  let fail: (error: Error) => void = () => {};
  const failing = new Promise<never>((_resolve, reject) => (fail = reject));
  // Prevents an unhandled rejection if the service fails before it is awaited below.
  failing.catch(() => {});
  const service = await startService({ ...config, failed: (error) => fail(error) });
  const ended = stopOnSignal(service, config.database ? facilityGraceMs : undefined);
  // A monitor only observes: Node still ends the process.
  process.on('uncaughtExceptionMonitor', (error) => service.fail(error));
  if (workerNumber(terminal.environment) === null) announce(terminal, service, config);
  else tellListening(service.url);
  await Promise.race([ended, failing]).catch(async (error: unknown) => {
    await service.stop(0);
    throw error;
  });
  leaveWorkers();
}

function announce(terminal: Terminal, service: RunningService, { host, tls }: ServiceConfig): void {
  printJson(terminal, {
    event: 'listening',
    url: service.url,
    pid: process.pid,
    ...(service.fingerprint ? { certificate_sha256: service.fingerprint } : {}),
  });
  if (!isLoopback(host) && !tls) {
    note(
      terminal,
      `Warning: ${host} is open to the network, and HTTP can be read and changed in transit, tokens and passwords included. Use --tls-cert and --tls-key, --tls-self-signed, or a TLS proxy in front of it.`,
    );
  }
  if (service.setupCode !== null) {
    note(
      terminal,
      `No account exists yet. Open ${service.url}/ui/setup?code=${service.setupCode} in a browser to create the first one, or run "benchport user create NAME --admin" here.`,
    );
  }
}

/**
 * @throws CommandError (bad usage) if only one of certificate and key is given, or both kinds of
 * certificate.
 */
function tlsSource({ tlsCert, tlsKey, tlsSelfSigned }: Options): TlsSource | null {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new CommandError('Give --tls-cert and --tls-key together.', 2);
  if (tlsCert === undefined || tlsKey === undefined) return tlsSelfSigned ? { kind: 'self-signed' } : null;
  if (tlsSelfSigned) throw new CommandError('Give either --tls-self-signed or a certificate of your own.', 2);
  return { kind: 'files', cert: path.resolve(tlsCert), key: path.resolve(tlsKey) };
}

function stopOnSignal(service: RunningService, graceMs: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    const stop = () => {
      // A second signal ends the process at once.
      if (stopping) process.exit(1);
      stopping = true;
      service.stop(graceMs).then(resolve, reject);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  });
}

function proxyOption(text: string, before: readonly string[] = []): readonly string[] {
  usable(() => trustedProxies([text]));
  return [...before, text];
}

function internalLocationOption(text: string, before: readonly InternalLocation[] = []): readonly InternalLocation[] {
  return [...before, usable(() => readInternalLocation(text))];
}

function baseUrlOption(text: string): string {
  return usable(() => parseBaseUrl(text));
}

function usableOption<T>(read: (text: string) => T): (text: string) => T {
  return (text) => usable(() => read(text));
}

/** Parses an option's value; an invalid one is bad usage. */
function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : 'It is not usable.');
  }
}
