import fs from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { expect } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** One import in a source: its target, and whether it imports only types. */
export interface Import {
  readonly from: string;
  readonly target: string;
  readonly typesOnly: boolean;
}

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?([^'";]*?from\s*)?(['"])([^'"]+)\3|\bimport\(\s*(['"])([^'"]+)\5\s*\)/g;

/** All imports of the sources in a folder. Targets within the project are paths from its root, others are package names. */
export async function importsOf(folder: string, skip: readonly string[] = []): Promise<Import[]> {
  const names = await fs.readdir(path.join(root, folder), { recursive: true });
  const files = names
    .map((name) => path.join(folder, name))
    .filter((name) => /\.tsx?$/.test(name) && !skip.some((part) => name.startsWith(part)));
  const found = await Promise.all(
    files.map(async (file) => readImports(file, await fs.readFile(path.join(root, file), 'utf8'))),
  );
  expect(files.length, `sources in ${folder}`).toBeGreaterThan(0);
  return found.flat();
}

export function readImports(file: string, text: string): Import[] {
  return [...text.matchAll(statement)].map((match) => {
    const name = match[4] ?? match[6] ?? '';
    const target = name.startsWith('.') ? path.join(path.dirname(file), name) : packageOf(name);
    return { from: file, target, typesOnly: match[1] !== undefined || onlyTypes(match[2]) };
  });
}

/** `{ type A, type B } from` brings nothing but types. */
function onlyTypes(clause: string | undefined): boolean {
  const names = /^\{([^}]*)\}\s*from\s*$/
    .exec(clause ?? '')?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return names !== undefined && names.length > 0 && names.every((name) => name.startsWith('type '));
}

function packageOf(name: string): string {
  if (name.startsWith('node:') || builtinModules.includes(name)) return 'node';
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}
