import { chromium, expect, type Browser, type Page } from '@playwright/test';
import type { ChildProcess } from 'node:child_process';

/** The account of an ordinary user where the tests run as root. */
export const nobody = 65_534;

/**
 * The command prefix that runs a command as an ordinary user. The checkout may lie in a folder that
 * only root can enter, so the right to read it is kept; pages lose even that and work without.
 */
const asOrdinaryUser = [
  '--securebits=+no_setuid_fixup',
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];

/** A command line that runs as an ordinary user. */
export function asUser(line: string[]): [string, string[]] {
  const [command = '', ...args] = process.getuid?.() === 0 ? ['setpriv', ...asOrdinaryUser, ...line] : line;
  return [command, args];
}

/** Without any right beyond the user's, for files that everyone may read. */
export function asPlainUser(line: string[]): [string, string[]] {
  const plain = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--inh-caps=-all'];
  const [command = '', ...args] = process.getuid?.() === 0 ? [...plain, ...line] : line;
  return [command, args];
}

/** Options of an application that keeps everything below a folder and can be attached to. */
export const optionsIn = (home: string): readonly string[] => [
  '--disable-gpu',
  `--user-data-dir=${home}/user`,
  `--data=${home}/data`,
  '--port=0',
  '--remote-debugging-port=0',
  '--exit-on-failure',
];

/** Variables of a user whose home is this folder. */
export const environmentIn = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: home,
  TMPDIR: home,
  XDG_RUNTIME_DIR: home,
});

/** Attaches to a started application through its debugging port. */
export async function attach(application: ChildProcess): Promise<Browser> {
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    application.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /DevTools listening on (\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    application.once('exit', (status) => reject(new Error(`It ended with status ${status}: ${said}`)));
  });
  // Playwright sometimes never returns when it attaches during the load of a page.
  const list = new URL('/json/list', address.replace('ws:', 'http:'));
  await expect
    .poll(async () => ((await (await fetch(list)).json()) as { title: string }[]).map(({ title }) => title))
    .toEqual([expect.stringContaining('Benchport')]);
  return chromium.connectOverCDP(address);
}

/** Its only window. */
export async function firstPage(browser: Browser): Promise<Page> {
  const pages = () => browser.contexts().flatMap((context) => context.pages());
  await expect.poll(() => pages().length).toBe(1);
  const [page] = pages();
  if (!page) throw new Error('There is no window.');
  return page;
}
