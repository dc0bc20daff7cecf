import { InvalidArgumentError, type Command } from 'commander';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { countOf } from '../../service/common/count-of.ts';
import { examples, wholeNumber } from '../support/command.ts';
import { downloadAddress, type DownloadAddress } from './download-address.ts';
import { certificateOption, readToken, requireHttps, tokenFileOption } from '../support/server-options.ts';
import { downloadOne, type Downloaded, type DownloadOptions } from './download-one.ts';
import type { DownloadReceipt } from './keep-download-receipt.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';

interface Options {
  readonly tokenFile: string;
  readonly to: string;
  readonly connections: number;
  readonly limitRate?: number;
  readonly certificate?: string;
  readonly receipt?: true | string;
  readonly json?: true;
}

/** A download, as printed with `--json`. */
interface Result {
  readonly url: string;
  ok: boolean;
  path?: string;
  files?: number;
  bytes?: number;
  /** Only where one was asked for; null where there is none. */
  receipt?: string | null;
  error?: string;
}

interface Downloads extends DownloadOptions {
  /** Null for none, true for a file beside the folder of the measurement. */
  readonly receipt: true | string | null;
}

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
    .option('--receipt [file]', 'keep the receipt of the server; ID.receipt.json beside the folder without a file')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples('benchport download https://bench.lab.example/measurements/qmr-114 --token-file token.txt --to .'),
    )
    .action(async (urls: readonly string[], options: Options) => {
      const addresses = urls.map(downloadAddress);
      const receipt = options.receipt ?? null;
      if (receipt !== null) requireReceiptFor(addresses, receipt);
      for (const { url } of addresses) requireHttps(url, options.certificate);
      const token = await readToken(terminal, options.tokenFile);
      const downloads = {
        token,
        to: options.to,
        connections: options.connections,
        limitRate: options.limitRate ?? null,
        certificate: options.certificate ?? null,
        receipt,
      };
      await untilInterrupted('The download was stopped. Run the same command again to continue.', async (signal) =>
        downloadAll(terminal, addresses, downloads, options.json === true, signal),
      );
    });
}

async function downloadAll(
  terminal: Terminal,
  addresses: readonly DownloadAddress[],
  options: Downloads,
  json: boolean,
  signal: AbortSignal,
): Promise<void> {
  const results: Result[] = [];
  const failures: string[] = [];
  for (const address of addresses) {
    if (signal.aborted) break;
    const result: Result = { url: address.url, ok: false };
    results.push(result);
    try {
      const done = await downloadOne(terminal, address, options, signal);
      const { path, files, bytes } = done;
      Object.assign(result, { ok: true, path, files, bytes });
      if (!json) printLine(terminal, `${path}  ${countOf(files, 'file')}, ${formatBytes(bytes)}, verified`);
      if (options.receipt === null) continue;
      result.receipt = null;
      const { file, said } = await receiptOf(address, done, options, signal);
      result.receipt = file;
      note(terminal, addresses.length === 1 ? said : `${address.measurementId}: ${said}`);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      result.error = error.message;
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

/** @throws CommandError (bad usage) where a receipt cannot be about what is downloaded, or be kept where it is wanted. */
function requireReceiptFor(addresses: readonly DownloadAddress[], wanted: true | string): void {
  if (addresses.some(({ index }) => index !== null))
    throw new CommandError('A receipt is about a whole measurement. Leave --receipt out for single files.', 2);
  if (wanted === true) return;
  if (/^https?:\/\//i.test(wanted))
    throw new CommandError(`--receipt takes a file, not an address. Write ${wanted} before the options.`, 2);
  if (addresses.length > 1)
    throw new CommandError('One file cannot hold the receipts of several measurements. Give --receipt without it.', 2);
}

async function receiptOf(
  { baseUrl, measurementId }: DownloadAddress,
  { path: folder, manifestDigest }: Downloaded,
  { token, certificate, receipt }: Downloads,
  signal: AbortSignal,
): Promise<DownloadReceipt> {
  // Loaded on demand, because it takes longer than many a download.
  const { keepDownloadReceipt } = await import('./keep-download-receipt.ts');
  const place = { folder, wanted: receipt === true ? null : receipt };
  return keepDownloadReceipt({ baseUrl, token, certificate }, { measurementId, manifestDigest }, place, signal);
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
