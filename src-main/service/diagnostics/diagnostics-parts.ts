import os from 'node:os';
import { lastLines } from '../logging/log-file.ts';
import { scrubLogLine } from './scrub-log-line.ts';
import { scrubText } from './scrub-text.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { StoredNumbersStore } from '../database/stored-numbers-store.ts';
import type { DiagnosticsStore } from './diagnostics-store.ts';

/** One file of the bundle, with a description. */
export interface DiagnosticsFile {
  readonly name: string;
  readonly about: string;
  readonly text: string;
}

type Stored = { readonly storedNumbers: StoredNumbersStore; readonly diagnostics: DiagnosticsStore };

export interface DiagnosticsDeps {
  readonly config: ServiceConfig;
  /** Null when the database cannot be read, which is when a bundle is needed most. */
  readonly stored: Stored | null;
  /** Results of the checks of `benchport doctor`. */
  readonly findings: readonly { readonly check: string; readonly ok: boolean; readonly detail: string }[];
  /** Metrics of the running service; null when none responds on this data directory. */
  readonly metrics: string | null;
}

const maxLogBytes = 1024 * 1024;
/** Settings without secrets and names; of all others the bundle contains only the key. */
const openSettings = new Set([
  'oauth.password_grant',
  'oauth.development_redirects',
  'fetching',
  'own_errors',
  'readiness_checked_at',
]);

/** Builds all files of the bundle as texts, so that the preview is exactly what is saved. */
export async function diagnosticsParts(deps: DiagnosticsDeps): Promise<readonly DiagnosticsFile[]> {
  const { config, stored, findings, metrics } = deps;
  const known = config.window ? [config.window.secret, config.window.socketPath] : [];
  const log = lastLines(config.dataDir, maxLogBytes).map((line) => scrubLogLine(line, known));
  const parts: readonly Content[] = [
    ['about.json', 'Versions, system, processor, memory', about(config.version)],
    ['configuration.json', 'How the service is set up, without addresses, paths and secrets', configuration(config)],
    ...(stored === null ? [] : await storedContents(stored)),
    [
      'doctor.json',
      'What the checks of "benchport doctor" found',
      findings.map((one) => ({ ...one, detail: withoutNames(one.detail, config.dataDir, known) })),
    ],
  ];
  return [
    ...parts.map(([name, words, content]) => ({ name, about: words, text: `${JSON.stringify(content, null, 2)}\n` })),
    ...(metrics === null ? [] : [{ name: 'metrics.txt', about: 'Numbers of the running service', text: metrics }]),
    {
      name: 'log.txt',
      about: 'The last lines of the log, without names and secrets',
      text: log.map((line) => `${line}\n`).join(''),
    },
  ];
}

type Content = readonly [name: string, about: string, content: unknown];

async function storedContents({ storedNumbers, diagnostics }: Stored): Promise<readonly Content[]> {
  return [
    [
      'settings.json',
      'Settings: values of those that are not secret, names of the others',
      await settings(diagnostics),
    ],
    [
      'counts.json',
      'How many rows each table has',
      { rows: Object.fromEntries(await storedNumbers.rows()), ...(await storedNumbers.file()) },
    ],
    ['jobs.json', 'States and progress of the last 200 jobs, without names', await diagnostics.jobs()],
    ['fetches.json', 'States and progress of the last 200 fetches, without names', await diagnostics.fetches()],
  ];
}

function about(version: string): object {
  return {
    made_at: new Date().toISOString(),
    benchport: version,
    versions: process.versions,
    platform: process.platform,
    arch: process.arch,
    system: `${os.type()} ${os.release()}`,
    processors: os.cpus().length,
    processor: os.cpus()[0]?.model ?? null,
    memory_bytes: os.totalmem(),
    free_memory_bytes: os.freemem(),
    uptime_seconds: Math.round(process.uptime()),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function configuration(config: ServiceConfig): object {
  const { host, port, baseUrl, tls, window, logLevel, transferLimits, ingestLimits } = config;
  const loopback = host === '::1' || host.startsWith('127.');
  const base = baseUrl === null ? null : new URL(baseUrl);
  return {
    listens_on: loopback
      ? 'loopback'
      : host === '0.0.0.0' || host === '::'
        ? 'every network'
        : 'one address of a network',
    port,
    base_url: base && { scheme: base.protocol.slice(0, -1), port: base.port, has_path: base.pathname !== '/' },
    tls: tls?.kind ?? null,
    with_window: window !== null,
    log_level: logLevel,
    transfer_limits: transferLimits ?? null,
    ingest_limits: ingestLimits ?? null,
  };
}

async function settings(diagnostics: Stored['diagnostics']): Promise<object> {
  const all = await diagnostics.settings();
  return Object.fromEntries(all.map(([key, value]) => [key, openSettings.has(key) ? scrubText(value) : '[not shown]']));
}

/**
 * The path of the data directory contains a user's name; names of measurements precede the first
 * colon or are in brackets.
 */
function withoutNames(detail: string, dataDir: string, known: readonly string[]): string {
  return scrubText(detail.replaceAll(dataDir, '[data directory]'), known).replaceAll(/\([^)]*\/[^)]*\)/g, '([names])');
}
