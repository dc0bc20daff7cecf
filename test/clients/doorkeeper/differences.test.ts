import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { authorizeCases } from './cases/authorize.ts';
import { metadataCases } from './cases/metadata.ts';
import { passwordCases } from './cases/password.ts';
import { refreshCases } from './cases/refresh.ts';
import { tokenFormCases } from './cases/token-form.ts';
import { tokenCases } from './cases/token.ts';
import { apiCases, infoCases, introspectionCases, revocationCases } from './cases/tokens-in-use.ts';
import { differencesOf, type Compared } from './compare.ts';
import { readDifferences, readRequests, requestRow, rowOf } from './difference-page.ts';
import { observe } from './observe.ts';
import { startOurs, startTheirs } from './sides.ts';

const packages = ['ruby-doorkeeper', 'ruby-doorkeeper-openid-connect', 'ruby-activerecord', 'ruby-sqlite3', 'puma'];
const missing = packages.filter((name) => !existsSync(`/var/lib/dpkg/info/${name}.list`));
const page = path.resolve(import.meta.dirname, '../../../docs/doorkeeper-differences.md');
const cases = [
  ...authorizeCases,
  ...tokenCases,
  ...tokenFormCases,
  ...refreshCases,
  ...passwordCases,
  ...infoCases,
  ...introspectionCases,
  ...revocationCases,
  ...apiCases,
  ...metadataCases,
];

test(
  'docs/doorkeeper-differences.md lists every difference to Doorkeeper, and no other',
  { timeout: 120_000 },
  async () => {
    if (missing.length > 0) {
      // Skipped only where the packages cannot be installed; a package that is merely missing fails
      // the test.
      const offered = missing.filter((name) =>
        /Candidate: (?!\(none\))/.test(spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' }).stdout ?? ''),
      );
      console.log(`Doorkeeper is not compared: this system has no ${missing.join(', ')}.`);
      expect(offered, 'packages that could be installed').toEqual([]);
      return;
    }
    const ids = cases.map((one) => one.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(75);

    const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-doorkeeper-'));
    const [theirs, ours] = await Promise.all([startTheirs(dir), startOurs()]);
    const compared: Compared[] = [];
    try {
      for (const [number, one] of cases.entries()) {
        for (const side of [theirs, ours]) side.moveTo(`127.0.2.${1 + number}`);
        const [their, our] = await Promise.all([theirs, ours].map(async (side) => observe(side, await one.run(side))));
        if (their && our) compared.push({ one, theirs: their, ours: our });
      }
    } finally {
      await Promise.all([theirs.stop(), ours.stop()]);
      await rm(dir, { recursive: true });
    }

    const text = await readFile(page, 'utf8');
    expect(readRequests(text)).toEqual(cases.map(requestRow));
    const listed = readDifferences(text);
    const found = differencesOf(compared).map(rowOf);
    expect(listed.map(({ row }) => row).toSorted()).toEqual(found.toSorted());
    expect(listed.filter(({ reason }) => reason.length < 10)).toEqual([]);
  },
);
