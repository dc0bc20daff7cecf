import type { Command } from 'commander';
import path from 'node:path';
import { countOf } from '../../service/common/count-of.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { isMeasurementId, suggestedId } from '../../../src-shared/measurement-names.ts';
import { parseServerUrl } from '../../service/http-client/server-url.ts';
import { uploadRequests } from '../../service/upload-client/upload-requests.ts';
import { Upload } from '../../service/upload-client/upload.ts';
import { certificateOption, readToken, requireHttps, tokenFileOption } from '../support/server-options.ts';
import { examples } from '../support/command.ts';
import { byteBar } from '../support/progress-bar.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';
import { manifestOf } from './manifest-lines.ts';
import { keepReceipt } from './keep-receipt.ts';
import { sendUpload } from './send-upload.ts';
import { readSource } from './upload-source.ts';

interface Options {
  readonly to: string;
  readonly tokenFile: string;
  readonly id?: string;
  readonly title?: string;
  readonly project?: string;
  readonly certificate?: string;
  readonly receipt?: string;
  readonly json?: true;
}

/**
 * `benchport upload PATH`: uploads a folder, a file or a ZIP to a server; the same command resumes
 * an interrupted upload.
 */
export function addUpload(program: Command, terminal: Terminal): void {
  program
    .command('upload')
    .description('Upload a folder, a file or a ZIP to a server, resumable and verified')
    .argument('<path>', 'folder, file or ZIP')
    .requiredOption('--to <url>', 'base URL of the server')
    .requiredOption(...tokenFileOption)
    .option('--id <id>', 'id of the measurement; made from the name when left out')
    .option('--title <title>', 'title; the name when left out')
    .option('--project <path>', 'project whose members may read it')
    .option(...certificateOption)
    .option('--receipt <file>', 'where to keep the receipt; ID.receipt.json in this folder when left out')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples('benchport upload run-114 --to https://bench.lab.example --id qmr-114 --token-file token.txt'),
    )
    .action(async (given: string, options: Options) => {
      requireHttps(options.to, options.certificate);
      const token = await readToken(terminal, options.tokenFile);
      await untilInterrupted('The upload was stopped. Run the same command again to go on.', async (signal) =>
        upload(terminal, given, options, token, signal),
      );
    });
}

async function upload(
  terminal: Terminal,
  given: string,
  options: Options,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const server = parseServerUrl(options.to);
  const name = path.basename(path.resolve(given));
  const id = options.id ?? suggestedId(path.parse(name).name);
  if (!isMeasurementId(id)) throw new CommandError(`${id} cannot be the id of a measurement.`, 2);
  const reading = byteBar(terminal);
  const source = await readSource(given, signal, (bytesDone, bytesTotal) => reading.update({ bytesDone, bytesTotal }));
  reading.clear();
  const { bytes, members } = source;
  const manifest = members === null ? null : manifestOf(members);
  let wasThere;
  const bar = byteBar(terminal);
  const title = options.title ?? source.suggestedTitle;
  const target = { manifest, server, id, title, project: options.project ?? null };
  const send = uploadRequests(token, options.certificate ?? null);
  try {
    ({ wasThere } = await sendUpload(new Upload(send, target, bytes), signal, (bytesDone) =>
      bar.update({ bytesDone, bytesTotal: bytes.length }),
    ));
  } finally {
    bar.clear();
  }
  const baseUrl = server.href.replace(/\/$/, '');
  const receipt = await keepReceipt({ send, baseUrl, signal }, { id, members }, options.receipt);
  const url = `${baseUrl}/measurements/${id}`;
  if (options.json === true)
    printJson(terminal, { url, id, files: members?.length ?? null, bytes: bytes.length, receipt: receipt.file });
  else {
    const files = members === null ? '' : `${countOf(members.length, 'file')}, `;
    note(terminal, `${wasThere ? 'Already there:' : 'Uploaded'} ${files}${formatBytes(bytes.length)}, verified`);
    note(terminal, receipt.said);
    printLine(terminal, url);
  }
}
