import { formatBytes, formatRate, type SizeUnits } from '../../src-shared/format/quantities.ts';
import type { Copy } from '../api/requests/types.ts';

/** How far a copy is, in a few words. */
export function copyAmount(copy: Copy, units: SizeUnits): string {
  const { state, bytes_done: done, bytes_total: total, bytes_per_second: rate } = copy;
  const amount = `${formatBytes(done, units)} of ${formatBytes(total, units)}`;
  switch (state) {
    case 'queued':
      return copy.outside_hours ? 'Waits for the hours of copies' : 'Queued';
    case 'sending':
      if (done < total) return rate === 0 ? `Sending, ${amount}` : `Sending, ${amount}, ${formatRate(rate, units)}`;
      return 'Being verified there';
    case 'waiting':
      return `Waiting, ${amount}`;
    case 'asking':
      return 'Needs you';
    case 'paused':
      return `Paused, ${amount}`;
    case 'verified':
      return formatBytes(total, units);
    case 'failed':
      return 'Not verified';
    case 'cancelled':
      return 'Cancelled';
  }
}

/** Whether a copy is late to answer for its bytes, by days. */
export function isOverdue({ state, check_at: due }: Copy, now: number): boolean {
  return state === 'verified' && due !== null && now - Date.parse(due) > 7 * 86_400_000;
}
