import type { TransferRecord } from '../../api/types.ts';
import { formatCount } from '../../ui/format/quantities.ts';

/** What was asked for, in a few words. */
export function describeTransfer(transfer: Pick<TransferRecord, 'what' | 'file_index' | 'range'>): string {
  const range = transfer.range === null || transfer.range === '' ? '' : `, ${transfer.range}`;
  switch (transfer.what) {
    case 'manifest':
      return 'Manifest';
    case 'archive':
      return `ZIP of all files${range}`;
    case 'file':
      return `File ${transfer.file_index === null ? '' : formatCount(transfer.file_index)}${range}`;
  }
}

/** How it ended. An outcome is a word of the audit trail; the status tells a refusal from a success. */
export function outcomeOf(transfer: Pick<TransferRecord, 'ended_at' | 'outcome' | 'status'>): {
  readonly kind: 'running' | 'good' | 'bad';
  readonly word: string;
} {
  if (transfer.ended_at === null) return { kind: 'running', word: 'running' };
  const word = transfer.outcome?.replaceAll(/[-_]/g, ' ') ?? `status ${transfer.status}`;
  const good = transfer.status < 400 && (transfer.outcome === null || ['complete', 'completed', 'done', 'ok', 'sent'].includes(transfer.outcome));
  return good ? { kind: 'good', word } : { kind: 'bad', word: transfer.status >= 400 ? `${word} (${transfer.status})` : word };
}
