import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { beginLayout } from '../../service/archive/layout.ts';
import { countOf } from '../../service/common/count-of.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { parseJson } from '../../service/common/parse-json.ts';
import { replaceUnseen } from '../../service/common/unseen-characters.ts';
import { ReceiptFile } from '../../service/contract/copies/copies.ts';
import { ReceiptKeys, type ReceiptClaims } from '../../service/contract/copies/receipts.ts';
import { failureText } from '../../service/files/register-failures.ts';
import { ReceiptRefused, verifyReceipt, type VerifiedReceipt } from '../../service/receipts/receipt.ts';
import { examples } from '../support/command.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';

interface Options {
  readonly keys?: string;
  readonly manifest?: string;
  readonly json?: true;
}

const Manifest = Type.Object({
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      length: Type.Integer({ minimum: 0 }),
      crc32: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      registrationTime: Type.String(),
    }),
  ),
});

/** `benchport receipt verify FILE`: verifies a receipt without any service; exit status 1 if it is refused. */
export function addReceiptVerify(receipts: Command, terminal: Terminal): void {
  receipts
    .command('verify')
    .description('Verify a receipt, without asking any service')
    .argument('<file>', 'receipt that was kept, or the signed text alone')
    .option('--keys <file>', 'keys that the issuer publishes at /api/v4/receipts/keys, instead of those in the file')
    .option('--manifest <file>', 'manifest of the measurement, as it is served at /measurements/ID/files')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('benchport receipt verify qmr-114.receipt.json --keys keys.json'))
    .action(async (file: string, options: Options) => verify(terminal, file, options));
}

async function verify(terminal: Terminal, file: string, options: Options): Promise<void> {
  const { receipt, keys: own, issuer } = await readReceipt(file);
  const keys = options.keys === undefined ? own : await readJson(options.keys, ReceiptKeys, 'a set of keys');
  if (keys === null) throw new CommandError(`${file} has no keys: give those of its issuer with --keys.`, 2);
  const verified = await verifyReceipt(receipt, keys).catch((error: unknown) => {
    throw error instanceof ReceiptRefused ? new CommandError(`${file} is refused. ${error.message}`) : error;
  });
  const { claims } = verified;
  if (options.manifest !== undefined) await requireSameFiles(options.manifest, claims);
  if (options.json === true) printJson(terminal, { ...claims, key: verified.kid });
  else print(terminal, verified);
  if (issuer !== null && !isSameAddress(issuer, claims.iss))
    note(
      terminal,
      `It was got from ${replaceUnseen(issuer, '?')}, but names ${replaceUnseen(claims.iss, '?')}. Compare its key with those of the latter.`,
    );
  if (options.keys === undefined)
    note(
      terminal,
      `The key is the one that was kept with the receipt. Compare it with those at ${replaceUnseen(claims.iss, '?')}/api/v4/receipts/keys, or give them with --keys.`,
    );
}

function print(terminal: Terminal, { claims, kid }: VerifiedReceipt): void {
  const { id, files, bytes, manifest_sha256: digest } = claims.measurement;
  printLine(terminal, `Measurement  ${replaceUnseen(id, '?')}, ${countOf(files, 'file')}, ${formatBytes(bytes)}`);
  printLine(terminal, `Manifest     ${digest}`);
  printLine(terminal, `Held by      ${replaceUnseen(claims.iss, '?')} on ${new Date(claims.iat * 1000).toISOString()}`);
  printLine(terminal, `Issued to    ${replaceUnseen(claims.sub, '?')}`);
  printLine(terminal, `Signed with  ${kid}`);
}

function isSameAddress(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}

interface GivenReceipt {
  readonly receipt: string;
  readonly keys: ReceiptKeys | null;
  /** Base URL from which it was got; null for the signed text alone. */
  readonly issuer: string | null;
}

async function readReceipt(file: string): Promise<GivenReceipt> {
  const text = await readText(file);
  const content = parseJson(text);
  if (Value.Check(ReceiptFile, content))
    return { receipt: content.receipt, keys: { keys: content.keys }, issuer: content.issuer };
  return { receipt: text.trim(), keys: null, issuer: null };
}

/** @throws CommandError when the receipt is about other files than those of a manifest. */
async function requireSameFiles(file: string, { measurement }: ReceiptClaims): Promise<void> {
  const { files } = await readJson(file, Manifest, 'a manifest');
  const layout = beginLayout();
  for (const { path, length, crc32, sha256, registrationTime } of files)
    layout.add({ path, length, crc32, sha256: Buffer.from(sha256, 'hex'), registeredAt: Date.parse(registrationTime) });
  if (layout.finish().tag !== measurement.manifest_sha256)
    throw new CommandError(`The receipt is about other files than those in ${file}.`);
}

async function readJson<Schema extends TSchema>(file: string, schema: Schema, what: string): Promise<Static<Schema>> {
  const content = parseJson(await readText(file));
  if (!Value.Check(schema, content)) throw new CommandError(`${file} is not ${what}.`, 2);
  return content;
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${failureText(error)}.`, 2);
  });
}
