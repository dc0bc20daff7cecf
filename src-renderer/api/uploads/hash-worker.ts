/** Worker that computes the checksums of files: JavaScript alone, because only the worker of previews may compile WebAssembly. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { buf } from 'crc-32';

/** An answer of the worker: what it has read, the sums of a file, or why one cannot be read. */
export type HashMessage =
  | { readonly kind: 'read'; readonly bytes: number }
  | { readonly kind: 'file'; readonly index: number; readonly crc32: number; readonly sha256: string }
  | { readonly kind: 'failed'; readonly index: number };

const reportBytes = 4 * 1024 * 1024;
const scope = globalThis as unknown as {
  addEventListener: (type: 'message', listener: (event: MessageEvent<readonly File[]>) => void) => void;
  postMessage: (message: HashMessage) => void;
};

scope.addEventListener('message', ({ data }) => void hashAll(data));

async function hashAll(files: readonly File[]): Promise<void> {
  let unreported = 0;
  const count = (bytes: number): void => {
    unreported += bytes;
    if (unreported < reportBytes) return;
    scope.postMessage({ kind: 'read', bytes: unreported });
    unreported = 0;
  };
  for (const [index, file] of files.entries()) {
    try {
      scope.postMessage({ kind: 'file', index, ...(await hashFile(file, count)) });
    } catch {
      scope.postMessage({ kind: 'failed', index });
      return;
    }
  }
  scope.postMessage({ kind: 'read', bytes: unreported });
}

async function hashFile(
  file: File,
  count: (bytes: number) => void,
): Promise<{ readonly crc32: number; readonly sha256: string }> {
  const sha = sha256.create();
  let crc = 0;
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    sha.update(part.value);
    crc = buf(part.value, crc);
    count(part.value.length);
  }
  return { crc32: crc >>> 0, sha256: bytesToHex(sha.digest()) };
}
