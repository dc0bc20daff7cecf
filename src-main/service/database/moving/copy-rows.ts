import { movedTables } from './moved-tables.ts';
import type { MoveContents } from './examine.ts';
import type { ReportMove } from './move-progress.ts';
import type { MoveSource, MoveTarget } from './sides.ts';

/**
 * Copies all tables in the order of their keys, so that the last row of the target says where to go
 * on after an interruption. A page is read while the one before it is written.
 */
export async function copyRows(
  source: MoveSource,
  target: MoveTarget,
  contents: MoveContents,
  report: ReportMove,
  signal: AbortSignal,
): Promise<void> {
  let before = 0;
  for (const table of movedTables()) {
    const total = contents.tables.find((one) => one.table === table.name)?.bytes ?? 0;
    const rows = contents.tables.find((one) => one.table === table.name)?.rows ?? 0;
    let [writing, copied] = [Promise.resolve(), 0];
    for await (const page of source.pages(table, await target.lastKey(table))) {
      await writing;
      signal.throwIfAborted();
      writing = target.insert(table, page);
      // It is awaited later, unless reading fails first.
      writing.catch(() => undefined);
      copied += page.length;
      report({
        step: 'copying',
        bytesDone: before + Math.round((total * Math.min(copied, rows)) / Math.max(1, rows)),
        bytesTotal: contents.bytes,
      });
    }
    await writing;
    before += total;
  }
}

/**
 * The greatest ids that were ever given, of the tables whose ids are never given again. Those of
 * replicas are among them, although they do not move: rows name them (`replica_id`).
 */
export async function highestIds(source: MoveSource): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const tables = movedTables().filter(({ numbered }) => numbered);
  for (const name of [...tables.map((table) => table.name), 'replicas']) found.set(name, await source.highestId(name));
  return found;
}
