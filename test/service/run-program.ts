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

/** Runs a program and returns its output; a failure does not throw. */
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
    // A program may exit without reading its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}

/** Runs a program that must succeed. @returns its standard output. */
export async function mustRun(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const ran = await run(program, args, options);
  if (ran.status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${ran.status}: ${ran.stderr}${ran.stdout}`);
  return ran.stdout;
}

/** The name of the 7-Zip command on this machine. */
export async function sevenZip(args: readonly string[]): Promise<string> {
  const known = await run('sh', ['-c', 'command -v 7zz || command -v 7z']);
  return mustRun(known.stdout.trim(), args);
}
