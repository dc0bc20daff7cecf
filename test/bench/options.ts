import path from 'node:path';
import { parseArgs } from 'node:util';

/** Tells whoever waits what is being done. */
export type Say = (line: string) => void;

export interface Options {
  readonly subject:
    | 'serve'
    | 'oauth'
    | 'errors'
    | 'fetch'
    | 'lists'
    | 'cluster'
    | 'objects'
    | 'copies'
    | 'previews'
    | 'builds';
  /** Names of the goals to measure; empty: all. */
  readonly only: readonly string[];
  /** Counted rounds, after one warm-up. */
  readonly rounds: number;
  /** Smaller fixtures and shorter runs, for development; such figures are not published. */
  readonly quick: boolean;
  /** Size of the database of `lists`; `--quick` uses the small one. */
  readonly size: 'small' | 'medium' | 'full';
  /** Another checkout with a build, for `builds`. */
  readonly beside: string | null;
  readonly write: boolean;
  /** Extra arguments for the Node that runs our service, for example `--cpu-prof`. */
  readonly nodeArguments: readonly string[];
}

export const usage =
  'npm run bench -- serve|oauth|errors|fetch|lists|cluster|objects|copies|previews|builds [--only name,...] [--rounds 5] [--quick] [--size small|medium|full] [--beside CHECKOUT] [--write] [--node-arguments="..."]\n' +
  '  lists: --size medium has a tenth of the rows and ends within minutes; the page of figures says which size it is of.\n' +
  '  builds: measures the build of this checkout beside that of another one.\n' +
  '  BENCHPORT_BENCH_DIR names the folder for the fixture (default: the folder for temporary files); it takes up to 6 GB and is removed at the end.';

/** @returns null when the arguments are invalid. */
export function readOptions(args: readonly string[]): Options | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        only: { type: 'string', default: '' },
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        size: { type: 'string' },
        beside: { type: 'string' },
        write: { type: 'boolean', default: false },
        'node-arguments': { type: 'string', default: '' },
      },
    });
    const rounds = Number(values.rounds ?? (values.quick ? 3 : 5));
    const subject = positionals.join();
    const size = values.size ?? (values.quick ? 'small' : 'full');
    if (
      !isSize(size) ||
      !isSubject(subject) ||
      (values.size !== undefined && subject !== 'lists') ||
      (values.beside !== undefined) !== (subject === 'builds') ||
      !Number.isInteger(rounds) ||
      rounds < 1
    )
      return null;
    if (values.write && (values.quick || values.only !== '' || rounds < 5)) {
      console.error('--write wants the whole run: without --quick and --only, and with five rounds or more.');
      return null;
    }
    return {
      subject,
      only: words(values.only, ','),
      rounds,
      quick: values.quick,
      size,
      beside: values.beside === undefined ? null : path.resolve(values.beside),
      write: values.write,
      nodeArguments: words(values['node-arguments'], ' '),
    };
  } catch {
    return null;
  }
}

function isSubject(text: string): text is Options['subject'] {
  return ['serve', 'oauth', 'errors', 'fetch', 'lists', 'cluster', 'objects', 'copies', 'previews', 'builds'].includes(
    text,
  );
}

function isSize(text: string): text is Options['size'] {
  return ['small', 'medium', 'full'].includes(text);
}

function words(text: string, separator: string): readonly string[] {
  return text.split(separator).filter((word) => word !== '');
}
