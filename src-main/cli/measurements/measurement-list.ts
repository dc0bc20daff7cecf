import type { Command } from 'commander';
import type { MeasurementWithOwner } from '../../service/measurements/store/measurements-store.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { everyMeasurement } from '../support/every-measurement.ts';
import { measurementShape } from './measurement-shape.ts';
import { printTable } from '../support/print-table.ts';
import { printJson, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport measurement list` */
export function addMeasurementList(measurements: Command, terminal: Terminal): void {
  dataCommand(measurements, 'list', 'Show all measurements, newest first')
    .option('--search <text>', 'only those with this text in their id or title')
    .action(async (options: CommonOptions & { readonly search?: string }) => {
      await withServices(terminal, options, async (services) => {
        const rows: MeasurementWithOwner[] = [];
        for await (const row of everyMeasurement(services, options.search)) rows.push(row);
        if (options.json) return printJson(terminal, rows.map(measurementShape));
        return printTable(
          terminal,
          ['ID', 'TITLE', 'FILES', 'SIZE', 'STATE', 'OWNER', 'REGISTERED'],
          rows.map((row) => [
            row.id,
            row.title,
            row.file_count,
            formatBytes(row.total_bytes),
            row.state,
            row.owner_username,
            formatTime(row.registered_at),
          ]),
        );
      });
    });
}
