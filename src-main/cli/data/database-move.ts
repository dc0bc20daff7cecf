import { existsSync } from 'node:fs';
import path from 'node:path';
import { formatBytes } from '../../service/common/format-bytes.ts';
import type { MoveContents } from '../../service/database/moving/examine.ts';
import {
  abandonMove,
  moveDatabase,
  rehearseMove,
  type MoveResult,
} from '../../service/database/moving/move-database.ts';
import type { ReportMove } from '../../service/database/moving/move-progress.ts';
import { withSides, type MovePlaces } from '../../service/database/moving/open-sides.ts';
import { withoutPassword } from '../../service/database/postgres/explain-unusable.ts';
import { keyDigest, keySetting } from '../../service/facility-check.ts';
import { secretBox } from '../../service/secrets/secret-box.ts';
import { secretKeyOf } from '../../service/secrets/secret-key.ts';
import type { CommonOptions } from '../support/command.ts';
import { printTable } from '../support/print-table.ts';
import { byteBar } from '../support/progress-bar.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';

const stopped = 'Stopped. The same command goes on from here; with --abandon it gives up.';

/** Moves all state. @throws StartError or CommandError with a line for the user. */
export async function move(terminal: Terminal, places: MovePlaces, options: CommonOptions): Promise<void> {
  const bars = stepBars(terminal);
  const result = await untilInterrupted(stopped, (signal) =>
    withSides(places, async (source, target) =>
      moveDatabase({ source, target, settings: settingsFor(places), report: bars.report, signal }),
    ),
  ).finally(bars.clear);
  if (options.json) printJson(terminal, { ...ends(places), ...document(result.contents), digests: digests(result) });
  else {
    const { to } = ends(places);
    const sum = result.contents.tables.reduce((rows, table) => rows + table.rows, 0);
    printTable(
      terminal,
      ['table', 'rows', 'SHA-256 on both sides'],
      result.compared.filter(({ rows }) => rows > 0).map(({ table, rows, sha256 }) => [table, rows, sha256]),
    );
    printLine(
      terminal,
      `${to}  has all ${sum} rows and is used from now on; no service starts on ${ends(places).from}.`,
    );
  }
  sayWhatStays(terminal, result.contents);
  sayWhatToSet(terminal, places);
}

/** The replicas of the target refuse to start with another key than the one that its secrets are sealed with. */
function settingsFor({ to, dataDir }: MovePlaces): readonly (readonly [string, string])[] {
  const file = path.join(dataDir, 'secret.key');
  if (to === 'sqlite' || !existsSync(file)) return [];
  return [[keySetting, keyDigest(secretBox(secretKeyOf({ dataDir, secretKeyFile: file })))]];
}

/** Says what would be moved. @throws StartError or CommandError with a line for the user. */
export async function rehearse(terminal: Terminal, places: MovePlaces, options: CommonOptions): Promise<void> {
  const bars = stepBars(terminal);
  const contents = await untilInterrupted('Stopped.', (signal) =>
    withSides({ ...places, mayCreate: false }, async (source, target) =>
      rehearseMove({ source, target, report: bars.report, signal }),
    ),
  ).finally(bars.clear);
  if (options.json) printJson(terminal, { ...ends(places), dry_run: true, ...document(contents) });
  else
    printTable(
      terminal,
      ['table', 'rows', 'size'],
      contents.tables.filter(({ rows }) => rows > 0).map(({ table, rows, bytes }) => [table, rows, formatBytes(bytes)]),
    );
  sayWhatStays(terminal, contents);
  for (const { table, column, key, problem } of contents.problems)
    note(terminal, `${table}.${column} of the row ${key}: ${problem}`);
  if (contents.problems.length > 0)
    throw new CommandError('It cannot be moved like this. Remove or change these rows first.');
  note(terminal, 'Nothing was changed. Stop the service before you move, and do not start it until it is done.');
}

/** Gives up. @throws StartError with a line for the user. */
export async function abandon(terminal: Terminal, places: MovePlaces, options: CommonOptions): Promise<void> {
  const { from, to } = ends(places);
  const { wasComplete } = await withSides(places, async (source, target) => abandonMove(source, target));
  if (options.json) printJson(terminal, { from, to, abandoned: true, target_was_complete: wasComplete });
  else printLine(terminal, `${from}  is used again.`);
  if (wasComplete)
    note(terminal, `${to} keeps the data that it has; what was written there since the move is not in ${from}.`);
}

function ends({ to, dataDir, url }: MovePlaces): { readonly from: string; readonly to: string } {
  const [sqlite, postgres] = [`sqlite:${dataDir}`, withoutPassword(url)];
  return to === 'postgres' ? { from: sqlite, to: postgres } : { from: postgres, to: sqlite };
}

function document({ tables, problems, leftBehind }: MoveContents): object {
  return { tables, left_behind: leftBehind, problems };
}

function digests({ compared }: MoveResult): Readonly<Record<string, string>> {
  return Object.fromEntries(compared.map(({ table, sha256 }) => [table, sha256]));
}

function sayWhatStays(terminal: Terminal, { leftBehind }: MoveContents): void {
  for (const { table, rows, why } of leftBehind) note(terminal, `stays behind: ${table} (rows: ${rows}), which ${why}`);
}

function sayWhatToSet(terminal: Terminal, { to, dataDir }: MovePlaces): void {
  if (to === 'postgres') {
    note(
      terminal,
      `Secrets need the same key: BENCHPORT_SECRET_KEY_FILE must name ${path.join(dataDir, 'secret.key')} or a copy of it.`,
    );
    note(
      terminal,
      `Files of the library stay where they are: BENCHPORT_LIBRARY_DIR must name ${path.join(dataDir, 'library')}.`,
    );
    return;
  }
  note(
    terminal,
    `Secrets need the same key: copy the file of BENCHPORT_SECRET_KEY_FILE to ${path.join(dataDir, 'secret.key')}.`,
  );
  note(
    terminal,
    `Files of the library stay where they are: copy the folder of BENCHPORT_LIBRARY_DIR to ${path.join(dataDir, 'library')}.`,
  );
}

/** One bar for each step, after a line that names it. */
function stepBars(terminal: Terminal): { readonly report: ReportMove; readonly clear: () => void } {
  let step: string | null = null;
  let bar = byteBar(terminal);
  return {
    report: (progress) => {
      if (progress.step !== step) {
        bar.clear();
        step = progress.step;
        note(terminal, `${step} ...`);
        bar = byteBar(terminal);
      }
      bar.update(progress);
    },
    clear: () => bar.clear(),
  };
}
