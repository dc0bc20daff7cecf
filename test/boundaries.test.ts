import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { importsOf, readImports, type Import } from './imports.ts';

const root = path.resolve(import.meta.dirname, '..');

/** The imports that are not allowed, in a readable form. */
function offences(imports: readonly Import[], isAllowed: (one: Import) => boolean): string[] {
  return imports.filter((one) => !isAllowed(one)).map((one) => `${one.from} imports ${one.target}`);
}

const inside = (folder: string) => (one: Import) => one.target.startsWith(`${folder}/`);
const isPackage =
  (...names: readonly string[]) =>
  (one: Import) =>
    names.includes(one.target);
const isProjectFile = (one: Import): boolean => /^(src|test|scripts|assets)[-/]/.test(one.target);

it('the shell knows of the service only how to talk to it', async () => {
  const imports = [
    ...(await importsOf('src-main/shell')),
    ...(await importsOf('src-main', ['src-main/shell', 'src-main/service', 'src-main/cli'])),
  ];
  const allowed = (one: Import): boolean =>
    inside('src-main/shell')(one) ||
    inside('src-preload')(one) ||
    one.target === 'src-main/service/process/host-protocol.ts' ||
    (inside('src-main/service/contract')(one) && one.typesOnly) ||
    inside('src-shared')(one) ||
    isPackage('electron', 'electron-store', 'electron-updater', 'typebox', 'node')(one);
  expect(offences(imports, allowed)).toEqual([]);
  expect(imports.length).toBeGreaterThan(20);
});

it('the service knows neither Electron nor the user interface', async () => {
  const imports = await importsOf('src-main/service');
  const forbidden = (one: Import): boolean =>
    /^(electron|react|@electron|@base-ui|@tanstack)/.test(one.target) ||
    (isProjectFile(one) && !inside('src-main/service')(one) && !inside('src-shared')(one));
  expect(offences(imports, (one) => !forbidden(one))).toEqual([]);
});

it('the service loads at its start nothing heavy that it may never need', async () => {
  const names = await fs.readdir(path.join(root, 'src-main/service'), { recursive: true });
  const loadsAtOnce =
    /^(?:import|export) (?!type )[^;]*?'(?:node:http|@peculiar\/x509|@simplewebauthn\/server|reflect-metadata)';$/m;
  const sources = names.filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(
    sources.map(async (name) => fs.readFile(path.join(root, 'src-main/service', name), 'utf8')),
  );
  expect(sources.filter((_, place) => loadsAtOnce.test(texts[place] ?? ''))).toEqual([]);
});

it('the command line uses the service and knows neither Electron nor the user interface', async () => {
  const imports = await importsOf('src-main/cli');
  const forbidden = (one: Import): boolean =>
    /^(electron|react|@electron|@base-ui|@tanstack)/.test(one.target) ||
    (isProjectFile(one) &&
      !inside('src-main/cli')(one) &&
      !inside('src-main/service')(one) &&
      !inside('src-shared')(one));
  expect(offences(imports, (one) => !forbidden(one))).toEqual([]);
});

it('only the database room knows the drivers of databases', async () => {
  const imports = [
    ...(await importsOf('src-main/service', ['src-main/service/database'])),
    ...(await importsOf('src-main/cli')),
  ];
  expect(offences(imports, (one) => !isPackage('better-sqlite3', 'pg')(one))).toEqual([]);
});

it('the contract is pure: it imports TypeBox and itself', async () => {
  const imports = await importsOf('src-main/service/contract');
  expect(offences(imports, (one) => inside('src-main/service/contract')(one) || isPackage('typebox')(one))).toEqual([]);
});

it('the user interface takes from the contract types and plain constants, and nothing from any other part', async () => {
  const imports = await importsOf('src-renderer');
  const schemas = new Set(
    (await importsOf('src-main/service/contract')).filter((one) => !one.typesOnly).map((one) => one.from),
  );
  const allowed = (one: Import): boolean => {
    if (inside('src-main/service/contract')(one)) return one.typesOnly || !schemas.has(one.target);
    if (inside('src-preload')(one)) return one.typesOnly;
    return (
      inside('src-renderer')(one) ||
      inside('src-shared')(one) ||
      (!isProjectFile(one) && !isPackage('node', 'electron', 'fastify', 'better-sqlite3', 'pino')(one))
    );
  };
  expect(offences(imports, allowed)).toEqual([]);
});

it('src-shared, which every part may import, imports nothing itself', async () => {
  const imports = await importsOf('src-shared');
  expect(offences(imports, inside('src-shared'))).toEqual([]);
});

it('the preload script imports Electron and its own types', async () => {
  const imports = await importsOf('src-preload');
  expect(offences(imports, (one) => inside('src-preload')(one) || isPackage('electron')(one))).toEqual([]);
});

it('reads every form of import', () => {
  const text = [
    "import type { A } from './a.ts';",
    "import { type B } from 'b/c';",
    "import d, { type E } from '@s/d/e';",
    "export { f } from 'node:fs';",
    "import 'g';",
    "await import('h');",
  ].join('\n');
  expect(readImports('src-main/x.ts', text)).toEqual([
    { from: 'src-main/x.ts', target: 'src-main/a.ts', typesOnly: true },
    { from: 'src-main/x.ts', target: 'b', typesOnly: true },
    { from: 'src-main/x.ts', target: '@s/d', typesOnly: false },
    { from: 'src-main/x.ts', target: 'node', typesOnly: false },
    { from: 'src-main/x.ts', target: 'g', typesOnly: false },
    { from: 'src-main/x.ts', target: 'h', typesOnly: false },
  ]);
});
