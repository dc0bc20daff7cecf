import type { Command } from 'commander';
import { group } from '../support/command.ts';
import { addMeasurementExport } from './measurement-export.ts';
import { addMeasurementGrant } from './measurement-grant.ts';
import { addMeasurementList } from './measurement-list.ts';
import { addMeasurementRegister } from './measurement-register.ts';
import { addMeasurementRemove } from './measurement-remove.ts';
import { addMeasurementRemoved } from './measurement-removed.ts';
import { addMeasurementRestore } from './measurement-restore.ts';
import { addMeasurementRevoke } from './measurement-revoke.ts';
import { addMeasurementShow } from './measurement-show.ts';
import { addMeasurementVerify } from './measurement-verify.ts';
import type { Terminal } from '../support/terminal.ts';

/** `benchport measurement ...` */
export function addMeasurementCommands(program: Command, terminal: Terminal): void {
  const measurements = group(program, 'measurement', 'Measurements: register, list, share, check, export, remove');
  addMeasurementRegister(measurements, terminal);
  addMeasurementList(measurements, terminal);
  addMeasurementShow(measurements, terminal);
  addMeasurementGrant(measurements, terminal);
  addMeasurementRevoke(measurements, terminal);
  addMeasurementVerify(measurements, terminal);
  addMeasurementExport(measurements, terminal);
  addMeasurementRemove(measurements, terminal);
  addMeasurementRemoved(measurements, terminal);
  addMeasurementRestore(measurements, terminal);
}
