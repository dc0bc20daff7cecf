import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { importsOf, type Import } from './imports.ts';

const root = path.resolve(import.meta.dirname, '..');
const parts = ['src-main', 'src-preload', 'src-renderer', 'src-shared'];
const maxFiles = 30;
const maxLines = 250;

/** Files above `maxLines`, each with the reason why it stays in one piece. */
const longFiles: Readonly<Record<string, string>> = {
  'src-main/service/measurements/content/response-writer.ts':
    'one class, called for each chunk of a body; a second one would cost a call for each chunk',
  'src-main/service/measurements/download/fast-path-range.ts': 'one walk without hops, which is its speed',
  'test/service/object-storage/stand-in.ts': 'one server of S3, whose operations share its objects',
};

/** An arrow between two folders, with one import that draws it. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly example: string;
}

async function arrows(): Promise<Arrow[]> {
  const imports = (await Promise.all(parts.map(async (part) => importsOf(part)))).flat();
  return arrowsOf(imports);
}

function arrowsOf(imports: readonly Import[]): Arrow[] {
  const found = new Map<string, Arrow>();
  for (const { from, target } of imports) {
    const [a, b] = [path.dirname(from), path.dirname(target)];
    if (a !== b && /\.tsx?$/.test(target))
      found.set(`${a} ${b}`, { from: a, to: b, example: `${from} imports ${target}` });
  }
  return [...found.values()];
}

/** The arrows that lie on a cycle: those whose end reaches their beginning. */
function onCycles(all: readonly Arrow[]): Arrow[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of all) next.set(from, [...(next.get(from) ?? []), to]);
  const reaches = (start: string, goal: string): boolean => {
    const seen = new Set([start]);
    const open = [start];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (folder === goal) return true;
      for (const other of next.get(folder) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        open.push(other);
      }
    }
    return false;
  };
  return all.filter(({ from, to }) => reaches(to, from));
}

it('the folders of the sources form no cycle, type imports included', async () => {
  const all = await arrows();
  expect(all.length).toBeGreaterThan(300);
  expect(onCycles(all).map(({ example }) => example)).toEqual([]);
});

it('finds a cycle of folders', () => {
  const typesOnly = true;
  const imports = [
    { from: 'a/one.ts', target: 'b/two.ts', typesOnly },
    { from: 'b/other.ts', target: 'c/three.ts', typesOnly },
    { from: 'c/three.ts', target: 'a/four.ts', typesOnly },
    { from: 'c/three.ts', target: 'd/five.ts', typesOnly },
  ];
  expect(onCycles(arrowsOf(imports)).map(({ from, to }) => `${from} ${to}`)).toEqual(['a b', 'b c', 'c a']);
});

/** All files of source below a folder, tests and their helpers among them, by their paths. */
async function sourcesIn(part: string): Promise<readonly string[]> {
  const names = await fs.readdir(path.join(root, part), { recursive: true });
  return names.filter((name) => /\.(tsx?|css)$/.test(name)).map((name) => path.join(part, name));
}

it(`no file of source or of tests has more than ${maxLines} lines, but for those named`, async () => {
  const long = new Map<string, number>();
  for (const file of (await Promise.all([...parts, 'test'].map(sourcesIn))).flat()) {
    const lines = (await fs.readFile(path.join(root, file), 'utf8')).split('\n').length - 1;
    if (lines > maxLines) long.set(file, lines);
  }
  expect([...long].filter(([file]) => !(file in longFiles))).toEqual([]);
  expect(Object.keys(longFiles).filter((file) => !long.has(file))).toEqual([]);
});

it(`no folder holds more than ${maxFiles} files of source or of tests`, async () => {
  const counts = new Map<string, number>();
  for (const file of (await Promise.all([...parts, 'test'].map(sourcesIn))).flat())
    counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > maxFiles)).toEqual([]);
});

/**
 * The layers of the service, lowest first. A folder imports from its own layer and from those below; a name stands for the folders within it too, unless
 * a longer one names them.
 */
const layers: readonly (readonly string[])[] = [
  [
    'common',
    'contract',
    'archive',
    'files',
    'http-client',
    'logging',
    'metrics',
    'object-storage',
    'process',
    'secrets',
    'upload-client',
    'workers',
    'http/semantics',
    'errors/grouping',
    'errors/normalise',
  ],
  ['database', 'fetching/engine'],
  ['http'],
  [
    'accounts/store',
    'audit',
    'outgoing',
    'transfers',
    'tokens',
    'projects',
    'short-lived',
    'capture/store',
    'copies/store',
    'fleet/silence',
    'fleet/store',
    'notifications/store',
    'errors/events',
    'errors/store',
    'measurements/store',
    'oauth/shared',
    'oauth/store',
    'fetching/store',
    'timeline/store',
  ],
  [
    'auth',
    'accounts/attempts',
    'accounts/confirmation',
    'accounts/passwords',
    'accounts/second-factors',
    'accounts/sessions',
    'accounts/sign-in',
  ],
  [
    'config',
    'accounts',
    'audit/trail',
    'backup',
    'diagnostics',
    'errors',
    'first-run',
    'instrumentation',
    'jobs',
    'measurements',
    'network',
    'oauth',
    'own-errors',
    'receipts',
    'capture',
    'copies',
    'fleet',
    'notifications',
    'servers',
    'timeline',
    'tokens/routes',
    'fetching',
  ],
  ['maintenance', 'health', '.'],
];

function layerOf(folder: string): number {
  const inService = path.relative('src-main/service', folder) || '.';
  const named = layers.flatMap((names, layer) =>
    names.filter((name) => inService === name || inService.startsWith(`${name}/`)).map((name) => ({ name, layer })),
  );
  return named.toSorted((a, b) => b.name.length - a.name.length)[0]?.layer ?? -1;
}

it('the layers of the service import downwards only', async () => {
  const within = (await arrows()).filter(
    ({ from, to }) => from.startsWith('src-main/service') && to.startsWith('src-main/service'),
  );
  const unnamed = within.flatMap(({ from, to }) => [from, to]).filter((folder) => layerOf(folder) === -1);
  expect(new Set(unnamed)).toEqual(new Set());
  expect(within.filter(({ from, to }) => layerOf(to) > layerOf(from)).map(({ example }) => example)).toEqual([]);
});
