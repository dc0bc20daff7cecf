import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { SecretBox } from './secret-box.ts';

/**
 * A key of the installation, or one of this start alone when the key file cannot be read: a service
 * that cannot open what it has sealed still runs, and forms are loaded again after a restart.
 */
export function installationKey(secrets: SecretBox, log: Logger, purpose: string): Buffer {
  try {
    return secrets.key(purpose);
  } catch (error) {
    log.error({ err: error }, `the key for ${purpose} is of this start alone`);
    return randomBytes(32);
  }
}
