import path from 'node:path';
import { beginLayout } from '../../service/archive/layout.ts';
import type { ReceiptFile } from '../../service/contract/copies/copies.ts';
import { failureText } from '../../service/files/register-failures.ts';
import { askInTime } from '../../service/receipts/fetched-receipt.ts';
import { writeReceiptFile } from '../../service/receipts/receipt-file.ts';
import { ReceiptUnavailable, requestReceipt } from '../../service/receipts/request-receipt.ts';
import type { JsonServer } from '../../service/upload-client/json-request.ts';
import { CommandError } from '../support/terminal.ts';
import type { ArchiveMember } from './archive-bytes.ts';

/**
 * Gets the receipt of what was uploaded, verifies it and keeps it in a file.
 *
 * @param members null for an archive that came as it was, of which only the id is known here.
 * @param wanted path of the file; null for one in the current folder.
 * @returns the file, and a line about it; without one when the server gives no receipts, or the current folder takes none.
 * @throws CommandError when the receipt is refused or cannot be kept.
 */
export async function keepReceipt(
  server: JsonServer,
  { id, members }: { readonly id: string; readonly members: readonly ArchiveMember[] | null },
  wanted: string | undefined,
): Promise<{ readonly file: string | null; readonly said: string }> {
  const expected =
    members === null
      ? { id, manifestSha256: null, files: null, bytes: null }
      : { id, manifestSha256: digestOf(members), files: members.length, bytes: bytesOf(members) };
  try {
    const { receipt, keys } = await askInTime(server, async (inTime) => requestReceipt(inTime, expected, { keys: [] }));
    const file = wanted ?? `${id}.receipt.json`;
    const content: ReceiptFile = { receipt, issuer: server.baseUrl, keys: keys.keys };
    try {
      await writeReceiptFile(file, content);
      return { file: path.resolve(file), said: `Receipt: ${file}` };
    } catch (error) {
      const said = `The receipt cannot be kept in ${file}: ${failureText(error)}.`;
      // A folder that nobody chose may well not be writable.
      if (wanted === undefined) return { file: null, said: `${said} Name another place with --receipt.` };
      throw new CommandError(`It was uploaded. ${said}`);
    }
  } catch (error) {
    if (!(error instanceof ReceiptUnavailable)) throw error;
    if (error.reason === 'no-receipt') return { file: null, said: error.message };
    throw new CommandError(`It was uploaded, but there is no receipt. ${error.message}`);
  }
}

function digestOf(members: readonly ArchiveMember[]): string {
  const layout = beginLayout();
  for (const member of members) layout.add({ ...member, sha256: Buffer.from(member.sha256, 'hex') });
  return layout.finish().tag;
}

function bytesOf(members: readonly ArchiveMember[]): number {
  return members.reduce((sum, { length }) => sum + length, 0);
}
