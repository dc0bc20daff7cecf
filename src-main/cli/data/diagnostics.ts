import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultPort } from '../../service/common/default-port.ts';
import { checkMachine } from '../../service/diagnostics/check-machine.ts';
import { diagnosticsParts } from '../../service/diagnostics/diagnostics-parts.ts';
import { diagnosticsZip } from '../../service/diagnostics/diagnostics-zip.ts';
import { errorCode } from '../../service/common/error-code.ts';
import { metricText } from '../../service/metrics/metric-text.ts';
import { storedFamilies } from '../../service/instrumentation/stored-families.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { diskFailure } from './disk-failure.ts';
import { checkStored } from './doctor-stored.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { commandConfig, withServices } from '../support/with-services.ts';

/**
 * `benchport diagnostics FILE`: writes what a supporter needs to know into one file without
 * secrets.
 */
export function addDiagnostics(program: Command, terminal: Terminal): void {
  dataCommand(
    program,
    'diagnostics',
    'Write a ZIP archive for someone helping with a problem: versions, counts, checks, the log; no secrets',
  )
    .argument('<file>', 'new file, usually ending in .zip; nothing is sent anywhere')
    .addHelpText('after', examples('benchport diagnostics /tmp/benchport-diagnostics.zip'))
    .action(async (name: string, options: CommonOptions) => {
      const dataDir = dataDirectory(options.data, terminal.environment);
      const file = path.resolve(name);
      if (!existsSync(dataDir))
        throw new CommandError(`There is no Benchport data in ${dataDir}. Name the directory with --data.`);
      const machine = await checkMachine(dataDir, defaultPort);
      const findings = [...machine, ...(await checkStored(dataDir, terminal))];
      const config = commandConfig(terminal, dataDir);
      const parts = await withServices(terminal, options, async (services) =>
        diagnosticsParts({ config, stored: services, findings, metrics: metricText(await storedFamilies(services)()) }),
      ).catch(async () => diagnosticsParts({ config, stored: null, findings, metrics: null }));
      await writeFile(file, diagnosticsZip(parts, Date.now()), { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
        if (errorCode(error) === 'EEXIST') throw new CommandError(`${file} already exists. Name another file.`);
        return diskFailure('The diagnostics cannot be written')(error);
      });
      if (options.json)
        printJson(terminal, { file, parts: parts.map((part) => ({ name: part.name, about: part.about })) });
      else for (const part of parts) printLine(terminal, `${part.name}: ${part.about}`);
    });
}
