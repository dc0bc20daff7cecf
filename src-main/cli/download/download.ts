import { InvalidArgumentError, type Command } from 'commander';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { countOf } from '../../service/common/count-of.ts';
import { examples, wholeNumber } from '../support/command.ts';
import { downloadAddress, type DownloadAddress } from './download-address.ts';
import { certificateOption, readToken, requireHttps, tokenFileOption } from '../support/server-options.ts';
import { downloadOne, type Downloaded, type DownloadOptions } from './download-one.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';

interface Options {
  readonly tokenFile: string;
  readonly to: string;
  readonly connections: number;
  readonly limitRate?: number;
  readonly certificate?: string;
  readonly json?: true;
}

type Result = { readonly url: string } & (
  | ({ readonly ok: true } & Downloaded)
  | { readonly ok: false; readonly error: string }
);

/**
 * `benchport download URL...`: downloads measurements from any server with the same interface and
 * verifies every byte; the same command resumes an interrupted download.
 */
export function addDownload(program: Command, terminal: Terminal): void {
  program
    .command('download')
    .description('Download measurements from a server, resumable and verified')
    .argument('<url...>', 'base URL of the server + /measurements/ID, or .../measurements/ID/files/INDEX')
    .requiredOption(...tokenFileOption)
    .requiredOption('--to <dir>', 'existing folder; a folder for the measurement is created in it')
    .option('--connections <number>', 'connections at once', wholeNumber(1, 16), 4)
    .option('--limit-rate <bytes>', 'maximum bytes per second, such as 500K or 10M', byteRate)
    .option(...certificateOption)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples('benchport download https://bench.lab.example/measurements/qmr-114 --token-file token.txt --to .'),
    )
    .action(async (urls: readonly string[], options: Options) => {
      const addresses = urls.map(downloadAddress);
      for (const { url } of addresses) requireHttps(url, options.certificate);
      const token = await readToken(terminal, options.tokenFile);
      const downloads = {
        token,
        to: options.to,
        connections: options.connections,
        limitRate: options.limitRate ?? null,
        certificate: options.certificate ?? null,
      };
      await untilInterrupted('The download was stopped. Run the same command again to continue.', async (signal) =>
        downloadAll(terminal, addresses, downloads, options.json === true, signal),
      );
    });
}

async function downloadAll(
  terminal: Terminal,
  addresses: readonly DownloadAddress[],
  options: DownloadOptions,
  json: boolean,
  signal: AbortSignal,
): Promise<void> {
  const results: Result[] = [];
  const failures: string[] = [];
  for (const address of addresses) {
    if (signal.aborted) break;
    try {
      const result = await downloadOne(terminal, address, options, signal);
      results.push({ url: address.url, ok: true, ...result });
      if (!json)
        printLine(terminal, `${result.path}  ${countOf(result.files, 'file')}, ${formatBytes(result.bytes)}, verified`);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      results.push({ url: address.url, ok: false, error: error.message });
      if (!signal.aborted) failures.push(addresses.length === 1 ? error.message : `${address.url}: ${error.message}`);
    }
  }
  if (json) printJson(terminal, { downloads: results });
  signal.throwIfAborted();
  // One line per failure; the caller prints the last one.
  const last = failures.pop();
  for (const failure of failures) note(terminal, `benchport: ${failure}`);
  if (last !== undefined) throw new CommandError(last);
}

const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };
const minBytesPerSecond = 1024;

function byteRate(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([KMG]?)$/i.exec(text) ?? [];
  const rate = Math.floor(Number(number || Number.NaN) * (units[unit.toUpperCase()] ?? Number.NaN));
  if (!(rate >= minBytesPerSecond))
    throw new InvalidArgumentError('Give bytes per second, at least 1024, such as 500K or 10M.');
  return rate;
}
