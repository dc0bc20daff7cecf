import type { InternalLocation } from '../../config/internal-location.ts';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { IncomingHttpHeaders } from 'node:http';
import { isPlainRange } from '../../http/semantics/byte-ranges.ts';
import { StartError } from '../../common/start-error.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';

const plainPrefix = /^\/(?:[A-Za-z0-9._~-]+\/)+$/;

/**
 * Parses `PREFIX=FOLDER`.
 *
 * @throws StartError when it is malformed.
 */
export function readInternalLocation(text: string): InternalLocation {
  const [, before = '', named = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const prefix = before.endsWith('/') ? before : `${before}/`;
  if (!plainPrefix.test(prefix)) {
    throw new StartError(
      'unexpected',
      `${text} is not an internal location of nginx and a folder. Give something like /benchport-files/=/srv/measurements.`,
    );
  }
  if (!path.isAbsolute(named))
    throw new StartError(
      'unexpected',
      `${named} is not an absolute path. Give the folder that nginx reads, from the root.`,
    );
  return { prefix, folder: withSlash(named) };
}

/**
 * Resolves symbolic links in the folder of a location, as the paths of registered folders are
 * resolved.
 *
 * @throws StartError when the folder does not exist or is not accessible.
 */
export function withRealFolder({ prefix, folder }: InternalLocation): InternalLocation {
  try {
    return { prefix, folder: withSlash(realpathSync(folder)) };
  } catch (error) {
    throw new StartError(
      'unexpected',
      `There is no folder ${folder} for nginx to send, or this user may not look into it.`,
      { cause: error },
    );
  }
}

/**
 * Returns the X-Accel-Redirect location of a file; null when nginx may not read it.
 *
 * @param file Absolute path.
 */
export function internalAddress(locations: readonly InternalLocation[], file: string): string | null {
  const place = locations.find(({ folder }) => file.startsWith(folder));
  if (!place) return null;
  const names = file.slice(place.folder.length).split('/');
  // A path must not leave its location, and a name that is not UTF-8 has no URL.
  if (names.some((name) => name === '' || name === '.' || name === '..' || Buffer.from(name).toString() !== name))
    return null;
  return place.prefix + names.map((name) => encodeURIComponent(name)).join('/');
}

/**
 * Whether nginx would answer a request as we do, once our own checks have passed. nginx evaluates
 * If-Match and If-Unmodified-Since without our ETag and date, and parses unusual ranges
 * differently. A body that fits into one buffer is sent faster by us.
 *
 * @param length Length of the body, in bytes.
 */
export function canDelegateToNginx(headers: IncomingHttpHeaders, length: number): boolean {
  if (length <= SendBuffers.small) return false;
  if (headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined) return false;
  // test/service/http/semantics/nginx-oracle.test.ts lists the forms that nginx reads differently.
  return headers.range === undefined || isPlainRange(headers.range);
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}
