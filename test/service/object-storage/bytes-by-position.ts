const stampedBytes = 64 * 1024;

/** Fills a buffer with bytes that follow from their position, so that every process has the same. */
export function fillFrom(bytes: Buffer, position: number): void {
  bytes.fill('measured on the bench ');
  for (let at = 0; at + 8 <= bytes.length; at += stampedBytes) bytes.writeBigUInt64LE(BigInt(position + at), at);
}
