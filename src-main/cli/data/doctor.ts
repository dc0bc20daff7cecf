import type { Command } from 'commander';
import { checkStored } from './doctor-stored.ts';
import { checkMachine, type Finding } from '../../service/diagnostics/check-machine.ts';
import { dataCommand, wholeNumber, type CommonOptions } from '../support/command.ts';
import { confirmClock } from '../../service/database/retention-clock.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { defaultPort } from '../../service/common/default-port.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly port: number;
  readonly trustClock?: true;
}

/**
 * `benchport doctor`: looks for problems that would keep the service from working, and says what to
 * do.
 */
export function addDoctor(program: Command, terminal: Terminal): void {
  dataCommand(program, 'doctor', 'Check this machine and the data directory')
    .option('--port <number>', 'port that the service will use', wholeNumber(0, 65_535), defaultPort)
    .option('--trust-clock', 'confirm that the time of this machine is right after its clock jumped ahead')
    .action(async (options: Options) => {
      const dataDir = dataDirectory(options.data, terminal.environment);
      if (options.trustClock)
        await withServices(terminal, { data: dataDir }, async ({ settings }) => confirmClock(settings, Date.now()));
      const findings: Finding[] = [
        ...(await checkMachine(dataDir, options.port)),
        ...(await checkStored(dataDir, terminal)),
      ];
      if (options.json) printJson(terminal, findings);
      else
        for (const { check, ok, detail } of findings)
          printLine(terminal, `${ok ? 'ok    ' : 'FAILED'}  ${check}: ${detail}`);
      const failed = findings.filter(({ ok }) => !ok).length;
      if (failed > 0) throw new CommandError(`${failed} of ${findings.length} checks failed.`);
    });
}
