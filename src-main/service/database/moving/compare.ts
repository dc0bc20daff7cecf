import { StartError } from '../../common/start-error.ts';
import type { MoveContents } from './examine.ts';
import type { ReportMove } from './move-progress.ts';
import { movedTables, type MovedTable } from './moved-tables.ts';
import { RowDigest, type TableDigest } from './row-digest.ts';
import type { MoveSide, MoveSource, MoveTarget } from './sides.ts';

export interface ComparedTable extends TableDigest {
  readonly table: string;
}

/**
 * Reads both sides and compares the number and the digest of the rows of each table.
 *
 * @throws StartError `data-unusable` when they are not equal.
 */
export async function compare(
  source: MoveSource,
  target: MoveTarget,
  contents: MoveContents,
  report: ReportMove,
  signal: AbortSignal,
): Promise<readonly ComparedTable[]> {
  const compared: ComparedTable[] = [];
  let before = 0;
  for (const table of movedTables()) {
    const onRow = (bytes: number): void =>
      report({ step: 'comparing', bytesDone: before + bytes, bytesTotal: contents.bytes });
    const [here, there] = await Promise.all([
      digestTable(source, table, signal, onRow),
      digestTable(target, table, signal, () => undefined),
    ]);
    if (here.rows !== there.rows || here.sha256 !== there.sha256)
      throw new StartError(
        'data-unusable',
        `The table ${table.name} is not equal on both sides: ${source.shown} has ${here.rows} rows with the digest ${here.sha256}, ${target.shown} has ${there.rows} with ${there.sha256}. Nothing was switched. Give up with --abandon, and move again.`,
      );
    compared.push({ table: table.name, ...here });
    before += here.bytes;
  }
  return compared;
}

async function digestTable(
  side: MoveSide,
  table: MovedTable,
  signal: AbortSignal,
  onPage: (bytes: number) => void,
): Promise<TableDigest> {
  const digest = new RowDigest();
  for await (const page of side.pages(table, null)) {
    signal.throwIfAborted();
    for (const row of page) digest.add(row);
    onPage(digest.bytes);
  }
  return digest.end();
}
