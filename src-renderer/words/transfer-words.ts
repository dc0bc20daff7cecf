import type { TransferRecord } from '../api/requests/types.ts';
import { countOf, formatCount } from '../../src-shared/format/quantities.ts';

/**
 * A Range header in words: `bytes 0 to 1 048 575`. A header that cannot be parsed is shown
 * unchanged.
 */
export function describeRange(header: string): string {
  const asked = /^bytes=(.*)$/i.exec(header.trim())?.[1];
  if (asked === undefined) return header;
  const parts = asked.split(',');
  if (parts.length > 1) return countOf(parts.length, 'range');
  const [, first, last] = /^\s*(\d{0,15})-(\d{0,15})\s*$/.exec(asked) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return header;
  if (first === '') return `the last ${countOf(Number(last), 'byte')}`;
  if (last === '') return `from byte ${formatCount(Number(first))}`;
  return `bytes ${formatCount(Number(first))} to ${formatCount(Number(last))}`;
}

/** The requested content, in a few words. */
export function describeTransfer(transfer: Pick<TransferRecord, 'what' | 'file_index' | 'path' | 'range'>): string {
  const [, files, rest] = /^files=(\S*) ?(.*)$/s.exec(transfer.range ?? '') ?? [null, null, transfer.range ?? ''];
  const range = rest === undefined || rest === '' ? '' : `, ${describeRange(rest)}`;
  switch (transfer.what) {
    case 'manifest':
      return 'Manifest';
    case 'archive':
      return `${describeArchive(files ?? null)}${range}`;
    case 'file':
      return `${transfer.path ?? (transfer.file_index === null ? 'A file' : `File ${formatCount(transfer.file_index)}`)}${range}`;
  }
}

const maxFilesShown = 40;

/** @param files indexes and ranges of them, such as `0-3,7`; null for all files. */
function describeArchive(files: string | null): string {
  if (files === null) return 'ZIP of all files';
  if (/^\d+$/.test(files)) return `ZIP of file ${files}`;
  if (files.length <= maxFilesShown) return `ZIP of files ${files.replaceAll(',', ', ')}`;
  return `ZIP of files in ${countOf(files.split(',').length, 'range')}`;
}

/** Texts of the audit trail's outcomes. */
const outcomeWords: Readonly<Record<string, string>> = {
  complete: 'complete',
  'client-closed': 'closed by the client',
  revoked: 'access was revoked',
  unconfirmed: 'access could not be confirmed',
  'file-changed': 'a file had changed',
  'read-error': 'a file could not be read',
  'checksum-mismatch': 'a file was altered',
  stalled: 'the client stalled',
  stopped: 'the service was stopped',
  ended: 'ended by an administrator',
  killed: 'the service ended unexpectedly',
};

/** Reasons for the end of a transfer that it did not cause itself, in words. */
export function transferEndWords(outcome: string): string {
  return outcomeWords[outcome] ?? outcome;
}

/** An older row without an end comes from a backup that was made during the transfer. */
const maxTransferMs = 24 * 3600_000;

export interface Outcome {
  readonly kind: 'running' | 'good' | 'bad';
  readonly word: string;
}

/** How a transfer ended, or that it still runs. */
export function outcomeOf(
  transfer: Pick<TransferRecord, 'started_at' | 'ended_at' | 'outcome' | 'status'>,
  now: Date,
): Outcome {
  if (transfer.ended_at === null) {
    const old = now.getTime() - new Date(transfer.started_at).getTime() > maxTransferMs;
    return old ? { kind: 'bad', word: 'no end recorded' } : { kind: 'running', word: 'running' };
  }
  if (transfer.status >= 400) return { kind: 'bad', word: `refused with ${transfer.status}` };
  if (transfer.outcome === null || transfer.outcome === 'complete') return { kind: 'good', word: 'complete' };
  // Only the proxy knows whether it arrived.
  if (transfer.outcome === 'handed-over') return { kind: 'good', word: 'sent by the proxy' };
  return { kind: 'bad', word: transferEndWords(transfer.outcome) };
}
