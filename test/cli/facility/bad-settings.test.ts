import { describe, expect, test, vi } from 'vitest';
import { useFacility } from './facility-scene.ts';

// Each test runs many processes, one after the other.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const scene = useFacility();

describe('bad settings of a facility', () => {
  const refusals: readonly (readonly [string, readonly string[], Record<string, string>, RegExp])[] = [
    ['--cluster without a database', ['--cluster'], {}, /--cluster needs a PostgreSQL/],
    ['workers without a database', ['--workers', '2'], {}, /SQLite is written by one process alone/],
    [
      'an address of another database',
      [],
      { BENCHPORT_DATABASE_URL: 'mysql://secret@host/x' },
      /BENCHPORT_DATABASE_URL cannot be used/,
    ],
    [
      'no library',
      [],
      { BENCHPORT_DATABASE_URL: 'postgres://db/x', BENCHPORT_BASE_URL: 'http://b' },
      /--library-dir, or BENCHPORT_LIBRARY_DIR/,
    ],
    ['no base URL', [], { BENCHPORT_DATABASE_URL: 'postgres://db/x' }, /--base-url, or BENCHPORT_BASE_URL/],
    [
      'a pool of one',
      [],
      { BENCHPORT_DATABASE_URL: 'postgres://db/x', BENCHPORT_DATABASE_POOL: '1' },
      /from 2 to 1000/,
    ],
    [
      'a misspelt variable',
      [],
      { BENCHPORT_DATABSE_URL: 'postgres://db/x' },
      /does not know the environment variable BENCHPORT_DATABSE_URL/,
    ],
    ['a file that is not there', [], { BENCHPORT_DATABASE_URL_FILE: '/nowhere/url' }, /\/nowhere\/url cannot be read/],
    [
      'both forms',
      [],
      { BENCHPORT_DATABASE_URL: 'postgres://db/x', BENCHPORT_DATABASE_URL_FILE: '/x' },
      /either BENCHPORT_DATABASE_URL or/,
    ],
  ];
  test.each(refusals)('%s', async (_name, args, variables, message) => {
    const { status, stderr } = await scene.cli.runHere(['serve', '--port', '0', ...args], '', variables);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('secret@');
    expect([1, 2]).toContain(status);
  });

  test('a database that cannot be reached is named without its password', async () => {
    const { status, stderr } = await scene.cli.run(['database', 'migrate'], '', {
      BENCHPORT_DATABASE_URL: 'postgres://benchport:hidden@127.0.0.1:1/benchport',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('127.0.0.1:1/benchport cannot be used');
    expect(stderr).not.toContain('hidden');
  });

  test('backups and moves are refused with what to do instead', async () => {
    for (const args of [
      ['backup', 'x.zip'],
      ['restore', 'x.zip'],
      ['move', 'elsewhere'],
    ]) {
      const { status, stderr } = await scene.cli.runHere(args, '', scene.environment);
      expect(status).toBe(1);
      expect(stderr).toContain('this command is for a data directory');
    }
  });
});
