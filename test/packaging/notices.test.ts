import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAllowed, writeNotices } from '../../scripts/lib/notices.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-notices-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function aPackage(name: string, license: string): Promise<string> {
  const place = path.join(folder, name);
  await mkdir(place, { recursive: true });
  await writeFile(path.join(place, 'package.json'), JSON.stringify({ name, version: '1.2.3', license }));
  await writeFile(path.join(place, 'LICENSE'), `The text of ${name}.\n`);
  return place;
}

describe('third-party notices', () => {
  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-2.0-or-later', false],
    ['AGPL-3.0', false],
    ['unknown', false],
    ['', false],
  ])('the licence %j may be shipped: %s', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed);
  });

  test('name every package with its licence and its text, and list it in the bill of materials', async () => {
    writeNotices(new Set([await aPackage('zeta', 'MIT'), await aPackage('@scope/alpha', 'Apache-2.0')]), folder);
    const notices = await readFile(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).toMatch(
      /@scope\/alpha 1\.2\.3\nLicence: Apache-2\.0\n\nThe text of @scope\/alpha\.[^]*zeta 1\.2\.3\nLicence: MIT\n\nThe text of zeta\./,
    );
    const bill = JSON.parse(await readFile(path.join(folder, 'sbom.cdx.json'), 'utf8')) as {
      components: { purl: string; licenses: unknown }[];
    };
    expect(bill.components.map(({ purl, licenses }) => ({ purl, licenses }))).toEqual([
      { purl: 'pkg:npm/%40scope/alpha@1.2.3', licenses: [{ license: { id: 'Apache-2.0' } }] },
      { purl: 'pkg:npm/zeta@1.2.3', licenses: [{ license: { id: 'MIT' } }] },
    ]);
  });

  test('fail at a licence that was not reviewed, by name', async () => {
    const refused = await aPackage('copyleft', 'GPL-3.0-only');
    expect(() => writeNotices(new Set([refused]), folder)).toThrow('licences to be looked at: copyleft (GPL-3.0-only)');
  });
});
