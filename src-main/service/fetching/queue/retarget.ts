import type { QueueContext } from './queue-context.ts';
import { discard } from './store-change.ts';

/**
 * Moves a fetch to another folder; files in the old one stay there. @returns false if it runs or
 * has ended
 */
export async function retarget(context: QueueContext, id: number, target: string): Promise<boolean> {
  const row = await context.fetches.byId(id);
  if (!row || context.live.has(id) || row.ended_at !== null) return false;
  if (row.target === target) return true;
  await discard(context, row);
  await context.files.clear(id);
  await context.fetches.update(id, { target });
  return true;
}
