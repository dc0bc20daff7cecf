import { open } from 'node:fs/promises';
import { writeAll, type Bytes } from '../../service/upload-client/bytes.ts';
import { CommandError } from '../support/terminal.ts';

const bufferBytes = 1024 * 1024;

/** The bytes of a file. Reading fails when it has become shorter. */
export function fileBytes(file: string, length: number): Bytes {
  return { length, writeFrom: async (offset, take) => writeAll(readFile(file, length, offset), take) };
}

/** The chunks of a file from an offset on. */
export async function* readFile(file: string, length: number, offset: number): AsyncGenerator<Buffer> {
  if (offset >= length) return;
  const handle = await open(file, 'r');
  try {
    for (let at = offset; at < length;) {
      const buffer = Buffer.allocUnsafe(Math.min(bufferBytes, length - at));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new CommandError(`${file} was changed while it was being uploaded. Upload it again.`);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The bytes of a small file. */
export async function readWhole(file: string, length: number): Promise<Buffer> {
  const parts = [];
  for await (const part of readFile(file, length, 0)) parts.push(part);
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
}
