import { isoTime } from '../common/iso-time.ts';
import type { Copy } from '../contract/copies/copies.ts';
import type { CopyQueue } from './queue/copy-queue.ts';
import type { CopyRow } from './store/copy-row.ts';

/** A copy as the API tells of it, with what its run knows better than its row. */
export function copyShape(queue: CopyQueue, row: CopyRow): Copy {
  const live = queue.live.get(row.id);
  return {
    id: row.id,
    measurement_id: row.measurement_id,
    title: row.title,
    server_id: row.server_id,
    server_name: row.server_name,
    base_url: row.base_url,
    project: row.project,
    state: row.state,
    reason: row.reason,
    message: row.message,
    retry_at: isoTime(row.retry_at),
    bytes_done: Math.min(live?.bytesDone ?? row.bytes_done, row.bytes_total),
    bytes_total: row.bytes_total,
    bytes_per_second: live?.bytesPerSecond ?? 0,
    outside_hours: row.state === 'queued' && !queue.isOpen,
    has_receipt: row.receipt !== null,
    verified_at: isoTime(row.verified_at),
    check_at: isoTime(row.check_at),
    created_at: isoTime(row.created_at),
    ended_at: isoTime(row.ended_at),
  };
}
