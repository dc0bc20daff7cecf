import { execFile } from 'node:child_process';

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program that the tests need and gives what it said; it does not have to succeed. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      [...args],
      { cwd: options.cwd, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, LC_ALL: 'C.UTF-8', ...options.env } },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number' && error.signal === null) reject(error);
        else resolve({ status: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
      },
    );
    // A program may end without having read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}

/** The same for a program that has to succeed. @returns its standard output. */
export async function mustRun(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const ran = await run(program, args, options);
  if (ran.status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${ran.status}: ${ran.stderr}${ran.stdout}`);
  return ran.stdout;
}

/** 7-Zip under the name that it has here. */
export async function sevenZip(args: readonly string[]): Promise<string> {
  const known = await run('sh', ['-c', 'command -v 7zz || command -v 7z']);
  return mustRun(known.stdout.trim(), args);
}
