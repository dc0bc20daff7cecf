import path from 'node:path';
import { parseArgs } from 'node:util';

/** What the command line and the environment say about this launch. */
export interface LaunchOptions {
  readonly dataDir: string | undefined;
  readonly port: number;
  /** End with a status instead of showing a message box; for machines that nobody sits at. */
  readonly exitOnFailure: boolean;
  /** Start in the tray, if there is one; so it starts with the session. */
  readonly hidden: boolean;
}

/** The switch for starting without a window. */
export const hiddenSwitch = '--hidden';

const defaultPort = 7420;

/**
 * Reads the few options we know and no others: the rest of the line belongs to Chromium, and nothing on it is ever an
 * action. `line` starts after the executable.
 */
export function readLaunchOptions(
  line: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): LaunchOptions {
  const { values } = parseArgs({
    args: [...line],
    strict: false,
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      'exit-on-failure': { type: 'boolean' },
      hidden: { type: 'boolean' },
    },
  });
  const dataDir = typeof values.data === 'string' ? values.data : environment['BENCHPORT_DATA'];
  return {
    dataDir: dataDir ? path.resolve(dataDir) : undefined,
    port: portNumber(values.port) ?? defaultPort,
    exitOnFailure: values['exit-on-failure'] === true,
    hidden: values.hidden === true,
  };
}

function portNumber(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^\d{1,5}$/.test(text)) return undefined;
  const port = Number(text);
  return port <= 65_535 ? port : undefined;
}
