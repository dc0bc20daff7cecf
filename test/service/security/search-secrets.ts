import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

interface Needle {
  readonly what: string;
  readonly bytes: Buffer;
}

/**
 * Every form that would reveal a secret: as is, hexadecimal, base64 at each of the three
 * alignments, percent-encoded, and its decoded bytes.
 */
function formsOf(what: string, secret: string): readonly Needle[] {
  const plain = Buffer.from(secret);
  const forms: Needle[] = [{ what: `${what}, in clear`, bytes: plain }];
  const add = (form: string, bytes: Buffer) => {
    if (bytes.length >= 6 && !forms.some((one) => one.bytes.equals(bytes)))
      forms.push({ what: `${what}, ${form}`, bytes });
  };
  const addText = (form: string, text: string) => add(form, Buffer.from(text));
  addText('percent-encoded', encodeURIComponent(secret));
  addText('escaped for JSON', JSON.stringify(secret).slice(1, -1));
  for (const source of [plain, ...decoded(secret)]) {
    if (source !== plain) add('decoded', source);
    const form = source === plain ? '' : 'of the decoded bytes';
    addText(`hex ${form}`, source.toString('hex'));
    addText(`upper-case hex ${form}`, source.toString('hex').toUpperCase());
    for (const offset of [0, 1, 2]) {
      // Groups of three bytes encode to four characters independently of their surroundings;
      // partial groups are left out.
      const from = (3 - offset) % 3;
      const inner = source.subarray(from, from + Math.floor((source.length - from) / 3) * 3);
      addText(`base64 ${form}`, inner.toString('base64'));
      addText(`base64url ${form}`, inner.toString('base64url'));
    }
  }
  return forms;
}

/** Places where secrets of a ledger occur, as sentences; an empty list if there are none. */
export function findIn(place: string, content: Buffer, secrets: ReadonlyMap<string, string>): readonly string[] {
  return [...secrets].flatMap(([secret, what]) =>
    formsOf(what, secret)
      .filter(({ bytes }) => content.includes(bytes))
      .map((needle) => `${place} has ${needle.what}`),
  );
}

/** Searches every file below a folder. */
export async function findBelow(dir: string, secrets: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) found.push(...findIn(path.relative(dir, file), await readFile(file), secrets));
    found.push(...findIn('the name of a file', Buffer.from(file), secrets));
  }
  return found;
}

function decoded(secret: string): readonly Buffer[] {
  if (/^(?:[0-9a-f]{2}){8,}$/i.test(secret)) return [Buffer.from(secret, 'hex')];
  if (/^[A-Z2-7]{16,}$/.test(secret)) return [fromBase32(secret)];
  return [];
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from(bits.match(/[01]{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
