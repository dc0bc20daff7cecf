import { deflateSync } from 'node:zlib';

export function pack(bytes: Buffer, method: number): Buffer {
  if (method === 8) return deflateSync(bytes);
  if (method === 5) return packLzw(bytes);
  return method === 32_773 ? packBits(bytes) : bytes;
}

/** PackBits with runs of equal bytes, and single bytes otherwise. */
function packBits(bytes: Buffer): Buffer {
  const out: number[] = [];
  for (let at = 0; at < bytes.length;) {
    let end = at + 1;
    while (end < bytes.length && end - at < 128 && bytes[end] === bytes[at]) end += 1;
    out.push(end - at === 1 ? 0 : 257 - (end - at), bytes[at] ?? 0);
    at = end;
  }
  return Buffer.from(out);
}

/** LZW of TIFF 6.0, section 13. */
export function packLzw(bytes: Uint8Array): Buffer {
  const out: number[] = [];
  let [bits, count, width] = [0, 0, 9];
  let codes = new Map<string, number>();
  const write = (code: number): void => {
    bits = (bits << width) | code;
    count += width;
    for (; count >= 8; count -= 8) out.push((bits >> (count - 8)) & 255);
    bits &= (1 << count) - 1;
  };
  write(256);
  let known = '';
  const codeOf = (text: string): number => (text.length === 1 ? text.charCodeAt(0) : (codes.get(text) ?? 0));
  for (const byte of bytes) {
    const letter = String.fromCharCode(byte);
    if (known === '' || codes.has(known + letter)) {
      known += letter;
      continue;
    }
    write(codeOf(known));
    codes.set(known + letter, 258 + codes.size);
    known = letter;
    const next = 258 + codes.size;
    if (next === 4095) {
      write(256);
      codes = new Map();
      width = 9;
    } else if (next === 512 || next === 1024 || next === 2048) width += 1;
  }
  if (known !== '') write(codeOf(known));
  write(257);
  if (count > 0) out.push((bits << (8 - count)) & 255);
  return Buffer.from(out);
}
