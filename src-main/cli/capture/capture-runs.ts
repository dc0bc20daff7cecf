import { Option, type Command } from 'commander';
import { runShape } from '../../service/capture/capture-shape.ts';
import { noCounts, type CaptureListRow } from '../../service/capture/store/capture-list-store.ts';
import { countOf } from '../../service/common/count-of.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import type { CaptureFilter } from '../../service/contract/capture/runs.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { printTable } from '../support/print-table.ts';
import { note, printJson, type Terminal } from '../support/terminal.ts';
import { requireCaptureRule } from './require-capture-rule.ts';
import { withCaptures } from './with-captures.ts';

const filters: readonly CaptureFilter[] = ['all', 'needs-you', 'waiting', 'done', 'skipped'];
const maxRows = 200;

interface Options extends CommonOptions {
  readonly filter: CaptureFilter;
}

/** `benchport capture runs [NAME]` */
export function addCaptureRuns(captures: Command, terminal: Terminal): void {
  dataCommand(captures, 'runs', `Show the runs in watched folders, newest first, at most ${maxRows}`)
    .argument('[name]', 'name of one rule')
    .addOption(
      new Option('--filter <group>', 'only those that need you, wait, are done, or are skipped')
        .choices(filters)
        .default('all'),
    )
    .action(async (name: string | undefined, options: Options) => {
      await withCaptures(terminal, options, async (services) => {
        const ruleId = name === undefined ? null : (await requireCaptureRule(services, name)).id;
        const { captureList } = services;
        const { filter } = options;
        const { rows, total } = await captureList.page({ ruleId, filter, search: '', offset: 0, limit: maxRows });
        if (options.json) {
          const counts = (await captureList.counts()).get(ruleId) ?? noCounts;
          return printJson(terminal, { items: rows.map(runShape), total, counts });
        }
        print(terminal, rows, name === undefined);
        if (total > rows.length) note(terminal, `${countOf(total - rows.length, 'older run')} not shown.`);
        return undefined;
      });
    });
}

function print(terminal: Terminal, rows: readonly CaptureListRow[], isOfAll: boolean): void {
  printTable(
    terminal,
    [...(isOfAll ? ['RULE'] : []), 'RUN', 'STATE', 'ID OR REASON', 'FILES', 'SIZE'],
    rows.map((run) => [
      ...(isOfAll ? [run.rule_name] : []),
      run.name,
      run.state,
      outcomeOf(run),
      run.file_count,
      formatBytes(run.total_bytes),
    ]),
  );
}

function outcomeOf({ measurement_id: id, message, reason }: CaptureListRow): string | null {
  const why = message ?? reason;
  return id !== null && why !== null ? `${id}: ${why}` : (id ?? why);
}
