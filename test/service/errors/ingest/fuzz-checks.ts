import { Compile } from 'typebox/compile';
import { ErrorEvent } from '../../../../src-main/service/contract/errors.ts';
import { IngestFailure } from '../../../../src-main/service/errors/normalise/ingest-failure.ts';
import { groupingKey } from '../../../../src-main/service/errors/grouping/grouping-key.ts';
import { maxEventBytes } from '../../../../src-main/service/errors/normalise/ingest-sizes.ts';
import { prepareEvent } from '../../../../src-main/service/errors/events/prepare-event.ts';
import { compressEvent, unpackEvent } from '../../../../src-main/service/errors/store/stored-event.ts';

// A few seconds each here; BENCHPORT_FUZZ_SECONDS=600 for millions.
export const seconds = Number(process.env['BENCHPORT_FUZZ_SECONDS'] ?? '3');

const contract = Compile(ErrorEvent);
export const context = {
  receivedAt: Date.UTC(2026, 10, 21, 12),
  eventId: null,
  sentAt: null,
  sdk: null,
  address: '192.0.2.7',
};
// Whatever has no place in a text of the database or on a screen.
const unclean = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const maxStored = 4 * 1024 * 1024;

/** The result of the body of an event: an event of the contract, or a refusal; nothing else, and no more of it than the body allows. */
export function checkEvent(body: Buffer): void {
  // Larger ones are refused before anything reads them.
  if (body.length > maxEventBytes) return;
  let prepared;
  try {
    prepared = prepareEvent(body, context);
    if (prepared && seconds > 3) expectLinear(body);
  } catch (error) {
    if (error instanceof IngestFailure && error.status === 400) return;
    throw error;
  }
  if (!prepared) return;
  const event = unpackEvent(compressEvent(prepared.payload, null), null);
  if (!contract.Check(event))
    throw new Error(`not of the contract: ${JSON.stringify(contract.Errors(event)).slice(0, 500)}`);
  const text = JSON.stringify(event);
  if (text.length > maxStored) throw new Error(`too large: ${text.length}`);
  const grouped = groupingKey(prepared.payload).parts.reduce((sum, part) => sum + part.length, 0);
  const made = text.length + grouped;
  if (made > maxMade(body.length)) throw new Error(`${body.length} bytes became ${made} characters`);
  // In JSON both are escapes; only a text that has such needs the slower look.
  if (/\\u(?:0000|d)/.test(text) && textsOf(event).some((one) => unclean.test(one)))
    throw new Error('NUL or a lone surrogate is left');
  const columns = [
    prepared.type,
    prepared.value,
    prepared.culprit,
    prepared.platform,
    prepared.environment ?? '',
    prepared.release ?? '',
    prepared.user ?? '',
    ...prepared.tags.flat(),
  ];
  if (columns.some((column) => unclean.test(column))) throw new Error('a column is unclean');
  if (
    !Number.isSafeInteger(prepared.occurredAt) ||
    Math.abs(prepared.occurredAt - prepared.receivedAt) > 31 * 86_400_000
  )
    throw new Error('a time out of reach');
  if (({} as Record<string, unknown>)['polluted'] !== undefined) throw new Error('a prototype was changed');
}

/** Characters of an event and of what it is grouped by. Two thousand frames of which each is `{}` are half a megabyte of members without a value. */
function maxMade(bytes: number): number {
  return 8 * bytes + 1024 * 1024;
}

/** Half a microsecond for each byte, and fifty milliseconds; what the machine does besides is no part of the best of four times. */
function expectLinear(body: Buffer): void {
  const maxTime = 50_000 + body.length / 2;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4 && best > maxTime; round += 1) {
    const before = process.threadCpuUsage();
    prepareEvent(body, context);
    const { user, system } = process.threadCpuUsage(before);
    best = Math.min(best, user + system);
  }
  if (best > maxTime) throw new Error(`${body.length} bytes took ${best / 1000} ms`);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...textsOf(one)]);
}
