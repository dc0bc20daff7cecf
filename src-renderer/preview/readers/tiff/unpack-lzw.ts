const clearCode = 256;
const endCode = 257;
const maxCodes = 4096;

/**
 * Unpacks LZW (TIFF 6.0, section 13) and stops at `maxBytes`, because few bytes can stand for very
 * many; damaged data end where they are damaged.
 */
export function unpackLzw(packed: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(maxBytes);
  const prefixes = new Uint16Array(maxCodes);
  const lengths = new Uint16Array(maxCodes);
  const lasts = new Uint8Array(maxCodes);
  for (let code = 0; code < clearCode; code += 1) {
    lengths[code] = 1;
    lasts[code] = code;
  }
  let [at, bits, bitCount, width, next, previous] = [0, 0, 0, 9, endCode + 1, -1];

  /** Writes the text of a code from its end; returns its first byte. */
  const write = (code: number): number => {
    const length = lengths[code] ?? 1;
    let byte = 0;
    for (let place = at + length - 1, one = code; place >= at; place -= 1, one = prefixes[one] ?? 0) {
      byte = lasts[one] ?? 0;
      if (place < maxBytes) out[place] = byte;
    }
    at += length;
    return byte;
  };

  for (const byte of packed) {
    bits = ((bits << 8) | byte) & 0xff_ffff;
    bitCount += 8;
    if (bitCount < width) continue;
    const code = (bits >> (bitCount - width)) & ((1 << width) - 1);
    bitCount -= width;
    if (code === endCode || at >= maxBytes) break;
    if (code === clearCode) {
      [width, next, previous] = [9, endCode + 1, -1];
      continue;
    }
    if (code > next || (code >= next && previous < 0)) break;
    const isNew = code === next;
    const first = write(isNew ? previous : code);
    if (isNew && at < maxBytes) out[at] = first;
    if (isNew) at += 1;
    if (previous >= 0 && next < maxCodes) {
      prefixes[next] = previous;
      lengths[next] = (lengths[previous] ?? 0) + 1;
      lasts[next] = first;
      next += 1;
    }
    previous = code;
    // The width grows one code early.
    if (next + 1 >= 1 << width && width < 12) width += 1;
  }
  return out.subarray(0, Math.min(at, maxBytes));
}
