import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run, type RunOptions } from '../service/run-program.ts';

/**
 * A folder with everything that a program needs, or the reason why it is not available on this
 * machine.
 */
export type Prepared = { readonly home: string } | { readonly missing: string };

/**
 * Returns the reason why commands cannot be used here, or undefined if all of them run. Each is
 * started once, because a launcher without a toolchain, such as rustup's `cargo`, is on PATH and
 * fails. @param versions each command with the option that prints its version
 */
export async function whyNotUsable(versions: Readonly<Record<string, string>>): Promise<string | undefined> {
  for (const [command, option] of Object.entries(versions)) {
    const { status, stdout, stderr } = await run(command, [option]).catch((error: unknown) => ({
      status: undefined,
      stdout: '',
      stderr: String(error),
    }));
    if (status !== 0)
      return `${command} does not run on this machine (${`${stderr}${stdout}`.trim().split('\n')[0] ?? ''})`;
  }
  return undefined;
}

/**
 * Copies a recipe into the user's cache folder and prepares it there with package managers, once
 * for each content of the recipe: later runs fetch nothing. The folder gets its name only when it
 * is complete.
 */
export async function prepareOnce(
  room: 'python' | 'sentry' | 'uploads',
  recipe: string,
  prepare: (stage: string) => Promise<void>,
): Promise<Prepared> {
  const source = path.join(import.meta.dirname, room, recipe);
  const cache = path.join(process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache'), 'benchport-dev');
  const home = path.join(cache, `${room}-${recipe}-${await digestOf(source)}`);
  if (existsSync(home)) return { home };
  await mkdir(cache, { recursive: true });
  const stage = await mkdtemp(`${home}.part-`);
  try {
    await cp(source, stage, { recursive: true });
    await prepare(stage);
    await rename(stage, home).catch((error: unknown) => {
      // Another run was faster.
      if (!existsSync(home)) throw error;
    });
    return { home };
  } catch (error) {
    if (error instanceof Unreachable) return { missing: error.message };
    throw error;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function digestOf(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = names.map((entry) => path.join(entry.parentPath, entry.name)).toSorted();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${path.relative(folder, file)}\0`).update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}

class Unreachable extends Error {}

// Messages by which npm, pip, go, Maven and cargo report an unreachable registry. Anything else,
// above all a wrong checksum, is a failure.
const unreachable =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|E403|E407|connection refused|connection timed out|failed to establish a new connection|network is unreachable|no such host|name resolution|unknown host|could not resolve|couldn't resolve|couldn't connect|could not connect|failed to connect|i\/o timeout|read timed out|403 forbidden|407 proxy|did not answer/i;

/** Runs a package manager, which contacts its registry. @param options.seconds after which it is ended */
export async function fetchWith(
  command: string,
  args: readonly string[],
  { seconds = 150, ...options }: RunOptions & { readonly seconds?: number } = {},
): Promise<void> {
  // `timeout` ends a hanging program; lower priority leaves the processor to other tests.
  const ran = await run('timeout', [String(seconds), 'nice', command, ...args], options);
  if (ran.status === 0) return;
  const said = ran.status === 124 ? `${command} did not answer in time` : `${ran.stderr}\n${ran.stdout}`;
  const message = `${command} ${args.join(' ')} ended with ${ran.status}: ${said.slice(-2000)}`;
  throw unreachable.test(said)
    ? new Unreachable(`its registry is not reached (${unreachable.exec(said)?.[0]})`)
    : new Error(message);
}

/**
 * Skips a test with one line of explanation, where the program is not available; an available one
 * that fails, fails the test.
 */
export function sayMissing(what: string, why: string): void {
  console.log(`${what} is not tried: ${why}.`);
}
