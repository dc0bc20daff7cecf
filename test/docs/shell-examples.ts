import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../service/run-program.ts';

/** One `sh` block of a page. */
export interface Example {
  readonly line: number;
  readonly script: string;
  /** The output that the page states; null if it states none. */
  readonly answer: { readonly kind: 'json' | 'text'; readonly text: string } | null;
  /** The reason in a comment before it why it is not run. */
  readonly notRun: string | null;
}

const fence = /^( *)```(\w*)\n(.*?)\n\1```$/gms;

/**
 * Reads the shell examples of a page, in order. @throws Error for a block without a language, and
 * for an output without an example, which would be compared with nothing.
 */
export function readExamples(page: string): readonly Example[] {
  const examples: Example[] = [];
  let end = 0;
  for (const match of page.matchAll(fence)) {
    const [whole, indent = '', language = '', body = ''] = match;
    const before = page.slice(end, match.index).trim();
    const line = page.slice(0, match.index).split('\n').length;
    const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const last = examples.at(-1);
    if (language === 'sh') {
      const [, notRun = null] = /<!-- not run: (.+) -->$/.exec(before) ?? [];
      examples.push({ line, script: text, answer: null, notRun });
    } else if ((language === 'json' || language === 'text') && before === 'answers' && last?.answer === null) {
      examples[examples.length - 1] = { ...last, answer: { kind: language, text } };
    } else throw new Error(`line ${line}: a block is neither \`sh\` nor the answer to the one before it`);
    end = match.index + whole.length;
  }
  return examples;
}

/**
 * Runs examples in one shell, so that variables and the folder carry over; the first failure ends
 * it.
 * @param folder to run in; the outputs are stored beside it.
 * @param command the start of the command line, when the shell is to run somewhere else.
 * @returns the problems, one line each.
 */
export async function runExamples(
  examples: readonly Example[],
  folder: string,
  env: Readonly<Record<string, string>>,
  command: readonly string[] = [],
): Promise<readonly string[]> {
  const printed = `${folder}.printed`;
  await mkdir(printed, { recursive: true });
  const file = (index: number, kind: string): string => path.join(printed, `${index}.${kind}`);
  const runnable = examples.filter(({ notRun }) => notRun === null);
  const steps = runnable.map(
    ({ script }, index) =>
      `{\n${script}\n} > '${file(index, 'out')}' 2> '${file(index, 'err')}'\n: > '${file(index, 'done')}'\n`,
  );
  const all = path.join(printed, 'all.sh');
  await writeFile(all, `set -euo pipefail\n${steps.join('')}`);
  const [program, ...args]: readonly string[] = [...command, 'bash', all];
  const ran = await run(program ?? '', args, { cwd: folder, env });
  for (const [index, example] of runnable.entries()) {
    const read = (kind: string): Promise<string> => readFile(file(index, kind), 'utf8').catch(() => '');
    const isDone = await readFile(file(index, 'done')).then(Boolean, () => false);
    if (!isDone)
      return [
        `line ${example.line}: the example failed, and those after it were not run: ${await read('err')}${await read('out')}${ran.stderr}`,
      ];
  }
  const problems: string[] = [];
  for (const [index, { line, answer }] of runnable.entries()) {
    const said = await readFile(file(index, 'out'), 'utf8');
    if (answer && !isAnswer(said, answer)) problems.push(`line ${line}: it printed ${said}instead of ${answer.text}`);
  }
  return problems;
}

function isAnswer(said: string, { kind, text }: NonNullable<Example['answer']>): boolean {
  if (kind === 'text') return matchesText(said.trimEnd(), text);
  try {
    return matchesValue(JSON.parse(said), JSON.parse(text));
  } catch {
    return false;
  }
}

/** `...` matches anything within a line. */
function matchesText(said: string, wanted: string): boolean {
  const pattern = wanted.split('...').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join('[^\n]+')}$`).test(said);
}

/** The page may omit members of objects, but not elements of lists. */
function matchesValue(said: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'string') return typeof said === 'string' && matchesText(said, wanted);
  if (Array.isArray(wanted))
    return (
      Array.isArray(said) &&
      said.length === wanted.length &&
      wanted.every((one, index) => matchesValue(said[index], one))
    );
  if (typeof wanted !== 'object' || wanted === null) return said === wanted;
  if (typeof said !== 'object' || said === null) return false;
  const members = new Map<string, unknown>(Object.entries(said));
  return Object.entries(wanted).every(([name, value]) => members.has(name) && matchesValue(members.get(name), value));
}
