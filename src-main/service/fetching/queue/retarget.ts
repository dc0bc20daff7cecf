import type { QueueParts } from './queue-parts.ts';
import { discard } from './run-fetch.ts';

/** Another folder for a fetch; what it had in the other one stays there. @returns false when it runs or has ended */
export async function retarget(parts: QueueParts, id: number, target: string): Promise<boolean> {
  const row = await parts.fetches.byId(id);
  if (!row || parts.live.has(id) || row.ended_at !== null) return false;
  if (row.target === target) return true;
  await discard(parts, row);
  await parts.files.clear(id);
  await parts.fetches.update(id, { target });
  return true;
}
