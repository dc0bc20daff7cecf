import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandLine, type CommandLine } from '../cli/command-line.ts';
import { programEntry } from '../service/program-entry.ts';
import { runExamples, type Example } from './shell-examples.ts';

const statedUrl = 'http://127.0.0.1:7420';

/** A running service, and shells in which the examples of pages find the commands that they name. */
export interface GuideShell {
  readonly cli: CommandLine;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Runs a page's examples in a temporary folder; the address in the page is replaced by this
   * service's. @returns the problems.
   */
  runPage(
    name: string,
    examples: readonly Example[],
    prepare?: (folder: string) => Promise<void>,
  ): Promise<readonly string[]>;
}

/** Examples whose address is that of a running service. */
export function examplesFor(url: string, examples: readonly Example[]): readonly Example[] {
  return examples.map((example) => ({ ...example, script: example.script.replaceAll(statedUrl, url) }));
}

export async function guideShell(): Promise<GuideShell> {
  const cli = await commandLine();
  const bin = path.join(cli.dir, 'bin');
  await mkdir(bin);
  await writeFile(
    path.join(bin, 'benchport'),
    `#!/bin/sh\nexec '${process.execPath}' '${programEntry('command line')}' "$@"\n`,
  );
  await chmod(path.join(bin, 'benchport'), 0o755);
  // The command in a checkout.
  await writeFile(
    path.join(bin, 'npm'),
    '#!/bin/sh\n[ "$1 $2 $3 $4" = "run -s benchport --" ] || exit 3\nshift 4\nexec benchport "$@"\n',
  );
  await chmod(path.join(bin, 'npm'), 0o755);
  const env = { PATH: `${bin}:${process.env['PATH']}`, BENCHPORT_DATA: cli.dataDir, HOME: cli.dir };
  const { url } = await cli.serve();
  return {
    cli,
    env,
    runPage: async (name, examples, prepare) => {
      const folder = path.join(cli.dir, name);
      await mkdir(folder);
      await prepare?.(folder);
      return runExamples(examplesFor(url, examples), folder, env);
    },
  };
}
