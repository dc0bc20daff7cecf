import type { AuditStores } from '../../audit/stores.ts';
import { isoTime } from '../../common/iso-time.ts';
import { HttpProblem, invalidRequest } from '../../common/problem.ts';
import { replaceUnseen } from '../../common/unseen-characters.ts';
import type { BenchReport, BenchReportTaken } from '../../contract/fleet/fleet.ts';
import type { Actor } from '../../http/principal.ts';
import { ReportRefused, verifyReport, type VerifiedReport } from '../signing/signed-report.ts';
import { maxBenchesOfUser } from '../store/benches-store.ts';
import type { FleetStores } from '../store/stores.ts';

export interface ReceiveDeps extends Pick<FleetStores, 'benches'>, Pick<AuditStores, 'audit'> {
  /** The address of this service for its users. */
  readonly baseUrl: () => string;
  /** Told when a list of benches looks different now. */
  readonly changed: (id: string) => void;
}

export interface SentReport {
  readonly signed: string;
  /** Of the request. */
  readonly host: string;
  readonly actor: Actor & { readonly userId: number };
}

/** @throws HttpProblem 422 for a report that is not what it says, or for another server. */
export async function openReport({ baseUrl }: Pick<ReceiveDeps, 'baseUrl'>, sent: SentReport): Promise<VerifiedReport> {
  const verified = await verifyReport(sent.signed).catch((error: unknown) => {
    throw error instanceof ReportRefused ? new HttpProblem(422, error.message, { type: 'report-refused' }) : error;
  });
  const hosts = [sent.host, new URL(baseUrl()).host].map((host) => host.toLowerCase());
  if (!hosts.includes(verified.report.to.toLowerCase()))
    throw new HttpProblem(422, `The report is for ${replaceUnseen(verified.report.to, '?')}, not for this server.`, {
      type: 'report-refused',
    });
  return verified;
}

/**
 * Takes a report of a bench.
 *
 * @throws HttpProblem 409 when a later report was taken before, or its user has too many benches.
 */
export async function receiveReport(
  deps: ReceiveDeps,
  { benchId, report }: VerifiedReport,
  actor: SentReport['actor'],
  now: number,
): Promise<BenchReportTaken> {
  const clockAheadMs = Math.round(Date.parse(report.sent_at) + (report.round_trip_ms ?? 0) / 2 - now);
  if (!Number.isSafeInteger(clockAheadMs)) throw invalidRequest('The time of the report is no time.');
  const shown = shownReport(report);
  const received = await deps.benches.receive({ benchId, userId: actor.userId, report: shown, clockAheadMs }, now);
  if (received.kind === 'out-of-order')
    throw new HttpProblem(409, `A later report of this bench was taken before, with the number ${received.sequence}.`, {
      type: 'report-out-of-order',
      headers: { 'benchport-report-sequence': String(received.sequence) },
    });
  if (received.kind === 'too-many')
    throw new HttpProblem(
      409,
      `This user has ${maxBenchesOfUser} benches, which is the most. An administrator can remove those that are gone.`,
      { type: 'too-many-benches' },
    );
  if (received.isNew || received.ownerBefore !== null)
    await deps.audit.record({
      ...actor,
      action: received.isNew ? 'bench.add' : 'bench.owner',
      subject: `bench:${benchId}`,
      detail: shown.name,
    });
  deps.changed(benchId);
  return { bench_id: benchId, received_at: isoTime(now) };
}

/** Names come from strangers and are shown on screens and in mails. */
function shownReport(report: BenchReport): BenchReport {
  const shown = (text: string): string => replaceUnseen(text, ' ').trim();
  return {
    ...report,
    name: shown(report.name) || '?',
    version: shown(report.version),
    platform: shown(report.platform),
    disks: report.disks.map((disk) => ({ ...disk, name: shown(disk.name) })),
    last_run: report.last_run && {
      ...report.last_run,
      id: shown(report.last_run.id),
      title: shown(report.last_run.title),
    },
  };
}
