import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { runProgram } from '../../src-main/cli/program.ts';
import { programEntry } from '../service/program-entry.ts';

const entry = programEntry('command line');

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandLine {
  /** A temporary folder; the data directory is `data` below it. */
  readonly dir: string;
  readonly dataDir: string;
  /** Runs one command to its end. */
  run(args: readonly string[], input?: string, environment?: NodeJS.ProcessEnv): Promise<Outcome>;
  /** Runs the program in this process, which is faster for long lists of refusals. */
  runHere(args: readonly string[], input?: string, environment?: NodeJS.ProcessEnv): Promise<Outcome>;
  /** Runs a command that must succeed. @returns its output without the last line break. */
  ok(args: readonly string[], input?: string): Promise<string>;
  /** Starts `benchport serve` on a free port. */
  serve(args?: readonly string[], environment?: NodeJS.ProcessEnv): Promise<ServeProcess>;
  end(): Promise<void>;
}

export interface ServeProcess {
  readonly url: string;
  readonly pid: number;
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  kill(signal: NodeJS.Signals): void;
  /** Exit status or signal of the process. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** The command line in separate processes, as a user runs it, on its own data directory. */
export async function commandLine(): Promise<CommandLine> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-cli-'));
  const dataDir = path.join(dir, 'data');
  const running = new Set<ServeProcess>();

  function start(args: readonly string[], environment: NodeJS.ProcessEnv) {
    const child = spawn(process.execPath, [entry, ...args], {
      env: { ...process.env, BENCHPORT_DATA: dataDir, ...environment },
      cwd: dir,
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (piece: string) => (texts[name] += piece));
    const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
    return { child, texts, ended };
  }

  async function run(args: readonly string[], input = '', environment: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    const { child, texts, ended } = start(args, environment);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    return { status: (await ended).code, ...texts };
  }

  return {
    dir,
    dataDir,
    run,
    runHere: async (args, input = '', environment = {}) => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const stdin = Object.assign(Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false }), {
        isTTY: false,
      });
      const status = await runProgram(args, {
        stdin,
        stdout,
        stderr,
        environment: { BENCHPORT_DATA: dataDir, ...environment },
        programDir: path.dirname(entry),
      });
      stdout.end();
      stderr.end();
      return { status, stdout: await textOf(stdout), stderr: await textOf(stderr) };
    },
    ok: async (args, input) => {
      const { status, stdout, stderr } = await run(args, input);
      if (status !== 0) throw new Error(`benchport ${args.join(' ')} ended with ${status}: ${stderr}`);
      return stdout.trimEnd();
    },
    serve: async (args = [], environment = {}) => {
      const { child, texts, ended } = start(['serve', '--port', '0', ...args], environment);
      const url = await new Promise<string>((resolve, reject) => {
        child.stdout.on('data', () => {
          if (texts.stdout.includes('\n'))
            resolve((JSON.parse(texts.stdout.split('\n', 1)[0] ?? '') as { url: string }).url);
        });
        void ended.then(({ code }) => reject(new Error(`serve ended with ${code}: ${texts.stderr}`)));
      });
      const serving: ServeProcess = {
        url,
        pid: child.pid ?? 0,
        output: () => texts,
        kill: (signal) => void child.kill(signal),
        ended,
      };
      running.add(serving);
      void ended.then(() => running.delete(serving));
      return serving;
    },
    end: async () => {
      for (const serving of running) {
        serving.kill('SIGKILL');
        await serving.ended;
      }
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The lines of an output without those of the log. */
export function linesForPeople(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
}
