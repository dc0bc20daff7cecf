import { generateKeyPair } from 'jose';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import type { BenchReport } from '../../../src-main/service/contract/fleet/fleet.ts';
import type { SigningKey } from '../../../src-main/service/secrets/signing-key.ts';
import { signReport } from '../../../src-main/service/fleet/signing/signed-report.ts';
import type { TestService } from '../start.ts';

/** A bench without its program: a key, and the reports that it signs. */
export interface ABench {
  readonly id: string;
  readonly key: SigningKey;
  /** What is left out is as usual. */
  report(change?: Partial<BenchReport>): Promise<string>;
}

export async function aBench(service: Pick<TestService, 'url'>): Promise<ABench> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const key: SigningKey = { privateKey, kid, publicJwk };
  let sequence = Date.now();
  return {
    id: kid,
    key,
    report: async (change = {}) => {
      sequence += 1;
      return signReport(key, { ...usualReport(new URL(service.url).host), sequence, ...change });
    },
  };
}

export function usualReport(to: string): BenchReport {
  return {
    to,
    sequence: 1,
    sent_at: new Date().toISOString(),
    round_trip_ms: null,
    next_report_ms: 60_000,
    going: null,
    name: 'nmr-400',
    version: '0.0.0-test',
    platform: 'linux 6.1',
    uptime_seconds: 4000,
    disks: [{ what: 'data', name: '', free_bytes: 400e9, size_bytes: 1000e9 }],
    copies: { waiting: 0, waiting_bytes: 0, oldest_since: null, failed: 0 },
    runs: { growing: 0, stuck: 0 },
    rules: { watching: 1, paused: 0, unreachable: 0 },
    jobs_failed: 0,
    last_run: null,
    errors: { unresolved: 0, events_last_hour: 0 },
  };
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly [member: string]: unknown };
}

/** Sends a signed report as a bench does. */
export async function sendReport(service: Pick<TestService, 'url'>, token: string, report: string): Promise<Answered> {
  const response = await fetch(`${service.url}/api/v4/fleet/reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ report }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answered['body'] };
}
