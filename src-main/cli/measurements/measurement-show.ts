import type { Command } from 'commander';
import { countOf } from '../../service/common/count-of.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { isoTime } from '../../service/common/iso-time.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { measurementShape } from './measurement-shape.ts';
import { printTable } from '../support/print-table.ts';
import { requireMeasurement } from './require-measurement.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

const shownProblems = 20;

/** `benchport measurement show ID` */
export function addMeasurementShow(measurements: Command, terminal: Terminal): void {
  dataCommand(measurements, 'show', 'Show one measurement, who may read it, and what is wrong with it')
    .argument('<id>', 'id of the measurement')
    .action(async (id: string, options: CommonOptions) => {
      await withServices(terminal, options, async (services) => {
        const row = await requireMeasurement(services, id);
        const grants = await services.grants.ofMeasurement(id);
        const problems = await services.files.withProblems(id, 0, shownProblems);
        if (options.json) {
          return printJson(terminal, {
            ...measurementShape(row),
            root: row.storage === 'reference' ? row.root : null,
            grants: grants.map((grant) => ({
              user: grant.username,
              project: grant.project_path,
              everyone: grant.everyone === 1,
              until: isoTime(grant.until),
            })),
            problems: problems.map((file) => ({
              index: file.idx,
              path: file.path,
              state: file.state,
              problem: file.problem,
            })),
          });
        }
        const facts = [
          ['title', row.title],
          [
            'state',
            row.problem_count > 0 ? `${row.state}, ${countOf(row.problem_count, 'file')} with problems` : row.state,
          ],
          ['files', `${row.file_count}, ${formatBytes(row.total_bytes)}`],
          ['owner', row.owner_username],
          ['stored in', row.storage === 'reference' ? row.root : 'the library'],
          ['registered', formatTime(row.registered_at)],
          ['verified', formatTime(row.verified_at) ?? 'not since registration'],
        ] as const;
        for (const [name, value] of facts) printLine(terminal, `${name.padEnd(12)}${value}`);
        printTable(
          terminal,
          ['READABLE BY', 'UNTIL'],
          grants.map((grant) => [subjectOf(grant), formatTime(grant.until)]),
        );
        return printTable(
          terminal,
          ['INDEX', 'FILE', 'STATE', 'PROBLEM'],
          problems.map((file) => [file.idx, file.path, file.state, file.problem]),
        );
      });
    });
}

function subjectOf(grant: { readonly username: string | null; readonly project_path: string | null }): string {
  if (grant.username !== null) return `user ${grant.username}`;
  return grant.project_path === null ? 'everyone' : `project ${grant.project_path}`;
}
