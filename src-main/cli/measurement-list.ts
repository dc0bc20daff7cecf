import type { Command } from 'commander';
import type { MeasurementWithOwner } from '../service/measurements/measurements-store.ts';
import { formatBytes } from '../service/format-bytes.ts';
import { dataCommand, type CommonOptions } from './command.ts';
import { formatTime } from './format.ts';
import { everyMeasurement } from './every-measurement.ts';
import { measurementShape } from './measurement-shape.ts';
import { printTable } from './print-table.ts';
import { printJson, type Terminal } from './terminal.ts';
import { withServices } from './with-services.ts';

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
          rows.map((row) => [row.id, row.title, row.file_count, formatBytes(row.total_bytes), row.state, row.owner_username, formatTime(row.registered_at)]),
        );
      });
    });
}
