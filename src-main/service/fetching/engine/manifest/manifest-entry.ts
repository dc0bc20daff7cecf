import type { ManifestFile } from './manifest-types.ts';
import { ManifestError } from './read-manifest-slices.ts';
import { plainPath } from '../target/safe-path.ts';
import { grouped } from '../../../common/grouped.ts';

type Fields = Readonly<Record<string, unknown>>;

const maxIndex = 0x7fff_ffff;
const maxCrc32 = 0xffff_ffff;
const hexDigest = /^[0-9a-fA-F]{64}$/;
// Such a link cannot contain dot segments and needs no normalisation.
const ordinaryPath = /^(?:\/[\w-]{1,100}){1,10}$/;

/**
 * Validates the used members of a manifest entry and ignores the others. Checked by hand, because
 * loading a schema library takes longer than many a fetch.
 *
 * @param place of the entry in the list, for the message.
 * @throws ManifestError
 */
export function manifestEntry(value: unknown, place: number): Omit<ManifestFile, 'refusal'> {
  const refuse = (problem: string): ManifestError =>
    new ManifestError(`File ${grouped(place + 1)} of the manifest cannot be used: ${problem}.`);
  if (!isObject(value)) throw refuse('it is not an object');
  const { index, path, length, crc32, sha256 } = value;
  if (!isWhole(index, maxIndex)) throw refuse(`its index is not a whole number from 0 to ${maxIndex}`);
  if (typeof path !== 'string') throw refuse('its path is not a string');
  if (!isWhole(length, Number.MAX_SAFE_INTEGER)) throw refuse('its length is not a whole number from 0 to 2^53 - 1');
  if (typeof crc32 === 'number' && crc32 < 0)
    throw refuse(`its crc32 is negative (${crc32}); the server has to send it as an unsigned number`);
  if (!isWhole(crc32, maxCrc32)) throw refuse(`its crc32 is not a whole number from 0 to ${maxCrc32}`);
  return { index, path: plainPath(path), named: path, href: hrefOf(value), length, crc32, sha256: bytesOf(sha256) };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWhole(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}

// A copy: a view into a pooled buffer would transfer the whole pool to the other thread.
function bytesOf(sha256: unknown): Uint8Array | null {
  return typeof sha256 === 'string' && hexDigest.test(sha256) ? new Uint8Array(Buffer.from(sha256, 'hex')) : null;
}

/**
 * The download link, if it starts with a slash. It may be relative to the origin, as the API
 * defines it, or to the base URL; the caller resolves it below the base URL. Other links are
 * ignored, and the address is built from the index.
 */
function hrefOf({ _links: links }: Fields): string | null {
  const download = isObject(links) ? links['download'] : null;
  const href = isObject(download) ? download['href'] : null;
  if (typeof href === 'string' && ordinaryPath.test(href)) return href;
  if (typeof href !== 'string' || !/^\/(?![/\\])[!-~]{0,2047}$/.test(href) || /[\\#]/.test(href)) return null;
  const [path = ''] = href.split('?');
  const plain = path.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c/gi, '/');
  return plain.split('/').some((part) => part === '.' || part === '..') ? null : href;
}
