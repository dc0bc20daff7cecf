import type { Command } from 'commander';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { allRemoved } from '../../service/measurements/removed/check-removed.ts';
import { removedShape } from '../../service/measurements/removed/removed-shape.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { printTable } from '../support/print-table.ts';
import { printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport measurement removed` */
export function addMeasurementRemoved(measurements: Command, terminal: Terminal): void {
  dataCommand(measurements, 'removed', 'Show removed measurements that can be restored, newest first').action(
    async (options: CommonOptions) => {
      await withServices(terminal, options, async (services) => {
        const rows = await allRemoved(services);
        if (options.json) return printJson(terminal, rows.map(removedShape));
        return printTable(
          terminal,
          ['NUMBER', 'ID', 'TITLE', 'FILES', 'SIZE', 'OWNER', 'REMOVED', 'BY', 'UNTIL'],
          rows.map((row) => [
            row.id,
            row.measurement_id,
            row.title,
            row.file_count,
            formatBytes(row.total_bytes),
            row.owner_username,
            formatTime(row.removed_at),
            row.removed_by_username ?? '',
            formatTime(row.expires_at),
          ]),
        );
      });
    },
  );
}
