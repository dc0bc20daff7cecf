import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const service = 'src-main/service';

/** Modules that may hold state, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'main.ts': 'the process is the service',
  'errors/grouping/parametrise.ts': 'remembers results of a pure function, which are equal for all services',
  'errors/normalise/secret-names.ts': 'remembers results of a pure function, which are equal for all services',
  'errors/ingest/find-key.ts': 'remembers results of a pure function, which are equal for all services',
  'measurements/download/archive-members.ts': 'an entry ends with the object that is its key',
  'fetching/engine/target/disk-calls.ts': 'the C library is bound once for the process',
};

/** Variables, and collections that begin empty, outside of all functions and classes: they start a line. */
const patterns = [
  /^(?:export )?let (\w+)/gm,
  /^(?:export )?const (\w+)(?:: [^=\n]+)? = (?:\[\]|\{\}|new (?:Map|Set)(?:<[^()]*>)?\(\));/gm,
  /^(?:export )?const (\w+)(?:: [^=\n]+)? = new (?:WeakMap|WeakSet|LRUCache)\b/gm,
];

const stateOf = (source: string): string[] =>
  patterns.flatMap((pattern) => Array.from(source.matchAll(pattern), ([, name = '']) => name));

/** A worker's module is its thread's own. */
const isWorker = (file: string): boolean => file.endsWith('-worker.ts');

it('what a service keeps belongs to the service, not to a module', async () => {
  const files = (await fs.readdir(path.join(root, service), { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(500);
  const holding = new Map<string, string[]>();
  for (const file of files) {
    const state = stateOf(await fs.readFile(path.join(root, service, file), 'utf8'));
    if (state.length > 0 && !isWorker(file)) holding.set(file.replaceAll(path.sep, '/'), state);
  }
  expect([...holding].filter(([file]) => !Object.hasOwn(allowed, file))).toEqual([]);
});

it('finds state in a module, and none in functions and constants', () => {
  const source = `
let counter = 0;
export let last: string | null = null;
const seen = new Map<string, readonly number[]>();
const known: Map<string, number> = new Map();
const parts: string[] = [];
export const cache = new LRUCache<string, number>({ max: 5 });
const owners = new WeakMap<object, string>();
const names = new Set(['a', 'b']);
const one = 1;
function run(): void {
  let within = 0;
  const here = new Map<string, number>();
}
`;
  expect(stateOf(source).toSorted()).toEqual(['cache', 'counter', 'known', 'last', 'owners', 'parts', 'seen']);
});
