import { beginLayout, type MemberShape } from '../../../archive/layout.ts';
import type { HttpClient } from '../../../http-client/http-client.ts';
import type { ManifestFile } from './manifest-types.ts';
import { readManifest } from './read-manifest.ts';

/** The archive that follows from a manifest as a server sends it now. */
export interface ListedArchive {
  /** As in {@link ReadManifest}: equal for a fetch of the same files. */
  readonly manifestDigest: Uint8Array;
  /** Hexadecimal digest of the archive's layout; null where the manifest lacks what it is about. */
  readonly tag: string | null;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Reads a manifest and computes what a receipt of its files has to be about.
 *
 * @throws As {@link readManifest}.
 */
export async function readListedArchive(
  client: HttpClient,
  measurementId: string,
  signal: AbortSignal,
): Promise<ListedArchive> {
  const layout = beginLayout();
  let next = 0;
  let isWhole = true;
  const manifest = await readManifest(client, measurementId, signal, (entry, file) => {
    const member = file.index === next ? memberOf(entry, file) : null;
    next += 1;
    isWhole &&= member !== null;
    if (isWhole && member !== null) isWhole = added(layout, member);
  });
  return {
    manifestDigest: manifest.digest,
    tag: isWhole ? layout.finish().tag : null,
    files: manifest.fileCount,
    bytes: manifest.totalBytes,
  };
}

function memberOf(entry: unknown, { named, length, crc32, sha256 }: Omit<ManifestFile, 'refusal'>): MemberShape | null {
  const { registrationTime } = entry as Readonly<Record<string, unknown>>;
  const registeredAt = typeof registrationTime === 'string' ? Date.parse(registrationTime) : Number.NaN;
  if (crc32 === null || sha256 === null || Number.isNaN(registeredAt)) return null;
  return { path: named, length, crc32, sha256: Buffer.from(sha256), registeredAt };
}

/** False for a member that no archive of Benchport can have. */
function added(layout: ReturnType<typeof beginLayout>, member: MemberShape): boolean {
  try {
    layout.add(member);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
