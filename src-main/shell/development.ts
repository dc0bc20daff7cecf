import { app } from 'electron';

/**
 * Whether this is `npm run dev`, and the address of its development server for the user interface.
 */
export interface DevelopmentMode {
  readonly on: boolean;
  readonly server: URL | undefined;
}

/**
 * Reads the development server's address. The build replaces NODE_ENV, so this code is removed from
 * releases.
 */
export function developmentMode(): DevelopmentMode {
  if (process.env.NODE_ENV !== 'development' || app.isPackaged) return { on: false, server: undefined };
  const address = process.env['BENCHPORT_DEV_SERVER'];
  return { on: true, server: address ? new URL(address) : undefined };
}
