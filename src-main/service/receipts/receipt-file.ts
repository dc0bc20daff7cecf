import { randomUUID } from 'node:crypto';
import { lstat, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Value } from 'typebox/value';
import { errorCode } from '../common/error-code.ts';
import { parseJson } from '../common/parse-json.ts';
import { ReceiptFile } from '../contract/copies/copies.ts';
import { syncFolder } from '../database/sync-folder.ts';
import { ReceiptRefused, verifyReceipt, type VerifiedReceipt } from './receipt.ts';

/** Something other than a receipt has the name that one is to be kept under. */
export class ReceiptInTheWay extends Error {
  override readonly name = 'ReceiptInTheWay';
}

/** A receipt in a file, whose signature was verified with the keys in it. */
export interface KeptReceipt extends VerifiedReceipt {
  readonly content: ReceiptFile;
}

// A hundred keys and a signature have far less.
const maxBytes = 1024 * 1024;

/** The file beside the folder of a fetched measurement in which its receipt is kept. */
export function receiptFileOf(folder: string): string {
  return `${folder}.receipt.json`;
}

/**
 * Reads a receipt that was kept.
 *
 * @returns null when there is no such file.
 * @throws ReceiptInTheWay when it is something else; the error of a system call.
 */
export async function readReceiptFile(file: string): Promise<KeptReceipt | null> {
  const refuse = (): ReceiptInTheWay =>
    new ReceiptInTheWay(`${file} is not a receipt, or was changed. Move it away, then try again.`);
  try {
    const found = await lstat(file);
    // Opening a pipe would wait for somebody who writes.
    if (!found.isFile() || found.size > maxBytes) throw refuse();
    const content = parseJson(await readFile(file, 'utf8'));
    if (!Value.Check(ReceiptFile, content)) throw refuse();
    return { ...(await verifyReceipt(content.receipt, { keys: content.keys })), content };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error instanceof ReceiptRefused ? refuse() : error;
  }
}

/** Writes a receipt so that a kill or a full disk leaves what was there before. @throws The error of a system call. */
export async function writeReceiptFile(file: string, content: ReceiptFile): Promise<void> {
  const folder = path.dirname(path.resolve(file));
  const partial = path.join(folder, `.${path.basename(file)}.${randomUUID()}`);
  try {
    const handle = await open(partial, 'wx');
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
  syncFolder(folder);
}

/**
 * Keeps the receipt of fetched files. One that is there is replaced only by one about the same files.
 *
 * @throws ReceiptInTheWay, or the error of a system call.
 */
export async function keepReceiptFile(file: string, content: ReceiptFile, manifestSha256: string): Promise<void> {
  const before = await readReceiptFile(file);
  if (before !== null && before.claims.measurement.manifest_sha256 !== manifestSha256)
    throw new ReceiptInTheWay(`${file} is the receipt of other files. Move it away, then try again.`);
  await writeReceiptFile(file, content);
}
