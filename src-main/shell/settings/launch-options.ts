import path from 'node:path';
import { parseArgs } from 'node:util';

/** Options of this launch from the command line and the environment. */
export interface LaunchOptions {
  readonly dataDir: string | undefined;
  readonly port: number;
  /** Exit with a status instead of showing a message box, for unattended machines. */
  readonly exitOnFailure: boolean;
  /** Start in the tray if there is one; used for the start at login. */
  readonly hidden: boolean;
}

/** The switch for starting without a window. */
export const hiddenSwitch = '--hidden';

const defaultPort = 7420;

/**
 * Reads the known options and ignores all others: the rest of the command line belongs to Chromium,
 * and nothing on it triggers an action.
 * @param line the arguments after the executable.
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
