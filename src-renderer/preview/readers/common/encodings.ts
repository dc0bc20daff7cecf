export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Bytes that are compared to tell text from other data. */
const probeBytes = 4096;

export interface FoundEncoding {
  readonly encoding: Encoding;
  /** Length of the byte order mark. */
  readonly markBytes: number;
}

/** The encoding of a text by its first bytes; null for data that is no text. */
export function encodingOf(head: Uint8Array): FoundEncoding | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', markBytes: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  const probe = head.subarray(0, probeBytes);
  const wide = wideEncoding(probe);
  if (wide !== null) return { encoding: wide, markBytes: 0 };
  if (controlShare(probe) > 0.01) return null;
  return { encoding: isUtf8(probe) ? 'utf-8' : 'windows-1252', markBytes: 0 };
}

/** UTF-16 without a mark: every other byte of Western text is zero. */
function wideEncoding(probe: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  for (const [at, byte] of probe.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const half = probe.length / 2;
  const [even = 0, odd = 0] = zeros;
  if (half < 4) return null;
  if (odd > half * 0.7 && even < half * 0.05) return 'utf-16le';
  return even > half * 0.7 && odd < half * 0.05 ? 'utf-16be' : null;
}

/** Share of bytes that no text has: control characters except tab, line ends, form feed and escape. */
function controlShare(probe: Uint8Array): number {
  let count = 0;
  for (const byte of probe) {
    if (byte === 0) return 1;
    if (byte < 32 && (byte < 9 || byte > 13) && byte !== 27) count += 1;
  }
  return probe.length === 0 ? 0 : count / probe.length;
}

function isUtf8(probe: Uint8Array): boolean {
  try {
    // A character at the end of the probe may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(probe, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Where a part of a text ends so that no character is cut: after its last line, or after its last
 * whole character in a part that is one line.
 */
export function endOfPart(bytes: Uint8Array, encoding: Encoding, isLast: boolean): number {
  if (isLast) return bytes.length;
  const width = encoding.startsWith('utf-16') ? 2 : 1;
  const low = encoding === 'utf-16be' ? 1 : 0;
  for (let at = bytes.length - (bytes.length % width) - width; at >= bytes.length / 2; at -= width)
    if (bytes[at + low] === 10 && (width === 1 || bytes[at + 1 - low] === 0)) return at + width;
  return wholeCharacters(bytes, encoding);
}

function wholeCharacters(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding === 'windows-1252') return bytes.length;
  if (encoding === 'utf-8') {
    let at = bytes.length - 1;
    while (at > bytes.length - 4 && at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
    return at > 0 && (bytes[at] ?? 0) >= 0xc0 ? at : bytes.length;
  }
  const even = bytes.length - (bytes.length % 2);
  const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0;
  return (high & 0xfc) === 0xd8 ? even - 2 : even;
}
