import { isoTime } from '../../common/iso-time.ts';
import type { BenchGoing, BenchReport } from '../../contract/fleet/fleet.ts';
import type { ServerAccess } from '../../http-client/http-client.ts';
import type { SigningKey } from '../../secrets/signing-key.ts';
import { uploadRequests, type Answer, type SendRequest } from '../../upload-client/upload-requests.ts';
import { signReport } from '../signing/signed-report.ts';
import type { SharedContent } from './collect-report.ts';
import { nextReportMs, refusedPauseMs, reportTimeoutMs } from './report-pace.ts';

export interface TargetDeps {
  readonly key: () => Promise<SigningKey>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly steady: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** The content of a report without the fields that are set when it is sent. */
export type Content = SharedContent & Pick<BenchReport, 'copies'>;

/** How a report ended: `refused` by a server that is asked again the next day. */
export type ReportEnd = { readonly kind: 'taken' } | { readonly kind: 'failed' | 'refused'; readonly message: string };

/** A server that this bench reports to, and when it does so next. */
export class ReportTarget {
  readonly #deps: TargetDeps;
  readonly #access: ServerAccess;
  readonly #send: SendRequest;
  #sequence = 0;
  #failures = 0;
  #roundTripMs: number | null = null;
  #nextAt: number;
  #isKnown = false;

  constructor(deps: TargetDeps, access: ServerAccess) {
    this.#deps = deps;
    this.#access = access;
    this.#send = uploadRequests(access.token, access.certificate);
    this.#nextAt = deps.steady();
  }

  get baseUrl(): string {
    return this.#access.baseUrl;
  }

  /** Whether the server has taken a report, so that it would miss this bench. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  isDue(): boolean {
    return this.#deps.steady() >= this.#nextAt;
  }

  /** Reports soon, unless the server refuses reports or does not answer. */
  hurry(): void {
    if (this.#isKnown && this.#failures === 0) this.#nextAt = this.#deps.steady();
  }

  /** Does not report for a while, because the computer goes to sleep. */
  hold(milliseconds: number): void {
    this.#nextAt = Math.max(this.#nextAt, this.#deps.steady() + milliseconds);
  }

  /** Reports at once after the computer slept. */
  wake(): void {
    if (!this.#isKnown) return;
    this.#failures = 0;
    this.#nextAt = this.#deps.steady();
  }

  /** @param going a goodbye, which is sent once and not counted. */
  async report(content: Content, going: BenchGoing | null, signal: AbortSignal): Promise<ReportEnd> {
    const { steady, random } = this.#deps;
    const begun = steady();
    const end = await this.#exchange(content, going, AbortSignal.any([signal, AbortSignal.timeout(reportTimeoutMs)]));
    if (end.kind === 'taken') {
      this.#roundTripMs = Math.min(600_000, Math.round(steady() - begun));
      this.#isKnown = true;
      this.#failures = 0;
    } else {
      this.#failures += 1;
      if (end.kind === 'refused') this.#isKnown = false;
    }
    this.#nextAt = steady() + (end.kind === 'refused' ? refusedPauseMs : nextReportMs(this.#failures, random()));
    return end;
  }

  async #exchange(content: Content, going: BenchGoing | null, signal: AbortSignal): Promise<ReportEnd> {
    const { now, random, key } = this.#deps;
    const { host } = new URL(this.#access.baseUrl);
    this.#sequence = Math.max(this.#sequence + 1, now());
    const report: BenchReport = {
      ...content,
      to: host,
      sequence: this.#sequence,
      sent_at: isoTime(now()),
      round_trip_ms: this.#roundTripMs,
      next_report_ms: nextReportMs(0, random()),
      going,
    };
    const body = Buffer.from(JSON.stringify({ report: await signReport(await key(), report) }));
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    try {
      const url = new URL(`${this.#access.baseUrl}/api/v4/fleet/reports`);
      const answer = await this.#send(url, { method: 'POST', headers, body: async (take) => take(body) }, signal);
      return this.#endOf(answer, host);
    } catch (error) {
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  #endOf({ status, headers, body }: Answer, host: string): ReportEnd {
    if (status === 200) return { kind: 'taken' };
    const message = `${host} answered with the status ${status}.`;
    const known = Number(headers['benchport-report-sequence']);
    // The clock was set back, or a backup was restored.
    if (status === 409 && Number.isSafeInteger(known) && known > 0) {
      this.#sequence = Math.max(this.#sequence, known);
      return { kind: 'failed', message };
    }
    // A server in between answers 404 too while the one behind it is away, but not like a Benchport.
    const isFinal = [401, 403, 409, 422].includes(status) || (status === 404 && typeof body['request_id'] === 'string');
    const detail = typeof body['detail'] === 'string' ? ` ${body['detail']}` : '';
    return { kind: isFinal ? 'refused' : 'failed', message: `${message}${isFinal ? detail : ''}` };
  }
}
