/** Bytes of a known length that can be read from any position, each time the same. */
export interface Bytes {
  readonly length: number;
  from(offset: number): AsyncIterable<Buffer>;
}

/** Makes the lines of a manifest: one for the measurement, then one for each file. */
export type Manifest = (head: Readonly<Record<string, string>>) => AsyncIterable<Buffer>;

/** What a line of a manifest says of a file. */
export interface ManifestFile {
  readonly path: string;
  readonly length: number;
  readonly crc32: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
}

export function manifestLine({ path, length, crc32, sha256, registeredAt }: ManifestFile): string {
  const registrationTime = new Date(registeredAt).toISOString();
  return `${JSON.stringify({ path, length, crc32, sha256, registrationTime })}\n`;
}
