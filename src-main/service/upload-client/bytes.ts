/** Takes bytes, which may be changed once the promise resolves. */
export type Take = (chunk: Buffer) => Promise<void>;

/** Writes a body piece by piece. */
export type BodyWriter = (take: Take) => Promise<void>;

/** Bytes of a known length that can be read from any position, each time the same. */
export interface Bytes {
  readonly length: number;
  writeFrom(offset: number, take: Take): Promise<void>;
}

/** Makes the lines of a manifest: one for the measurement, then one for each file. */
export type Manifest = (head: Readonly<Record<string, string>>) => AsyncIterable<Buffer>;

/** Writes the chunks of an iterator. */
export async function writeAll(chunks: AsyncIterable<Buffer>, take: Take): Promise<void> {
  for await (const chunk of chunks) await take(chunk);
}

/** A file as a line of a manifest describes it. */
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
