import { setTimeout } from 'node:timers/promises';
import { mkdir, readFile, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { commandLine } from './command-line.ts';
import { useWorld } from '../service/use-service.ts';

// Each test runs many processes, one after the other.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const cli = useWorld(commandLine);
let source: string;

beforeAll(async () => {
  await cli.ok(['user', 'create', 'alice', '--admin']);
  await cli.ok(['user', 'create', 'bob']);
});

async function files(name: string): Promise<string> {
  const dir = path.join(cli.dir, name);
  await mkdir(path.join(dir, 'raw'), { recursive: true });
  await writeFile(path.join(dir, 'note.txt'), 'a note\n');
  await writeFile(path.join(dir, 'raw', 'trace.bin'), Buffer.alloc(100_000, 7));
  return dir;
}

describe('a measurement from registration to removal', () => {
  test('is served by a running service as soon as it is registered and granted', async () => {
    source = await files('qmr 114');
    const service = await cli.serve();
    const registered = await cli.run(['measurement', 'register', source, '--title', 'QMR 114']);
    expect(registered).toMatchObject({ status: 0, stderr: '' });
    const id = registered.stdout.trimEnd();
    expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
    expect(JSON.parse(await cli.ok(['measurement', 'list', '--json']))).toMatchObject([
      { id, title: 'QMR 114', file_count: 2, state: 'available', owner: 'alice' },
    ]);
    expect(await cli.ok(['measurement', 'list', '--search', 'nothing'])).toBe('');

    const bob = await cli.ok(['token', 'create', '--user', 'bob', '--name', 'x', '--scopes', 'read_measurement']);
    const fetchNote = () =>
      fetch(`${service.url}/measurements/${id}/files/0`, { headers: { authorization: `Bearer ${bob}` } });
    expect((await fetchNote()).status).toBe(403);
    const granted = await cli.ok(['measurement', 'grant', id, '--user', 'bob', '--until', '2099-01-01']);
    expect(granted).toBe(`Granted access to ${id}: user bob, until 2099-01-01 00:00:00Z.`);
    expect(await (await fetchNote()).text()).toBe('a note\n');
    expect(await cli.ok(['measurement', 'show', id])).toContain('user bob');
    await cli.ok(['measurement', 'revoke', id, '--user', 'bob']);
    expect((await fetchNote()).status).toBe(403);
    expect((await cli.run(['measurement', 'revoke', id, '--user', 'bob'])).status).toBe(1);

    await cli.ok(['project', 'create', 'lab']);
    await cli.ok(['project', 'member', 'lab', '--user', 'bob', '--role', 'reporter']);
    await cli.ok(['measurement', 'grant', id, '--project', 'lab']);
    expect((await fetchNote()).status).toBe(200);
    await cli.ok(['measurement', 'revoke', id, '--project', 'lab']);
    expect(await cli.ok(['measurement', 'grant', id, '--everyone'])).toBe(
      `Granted access to ${id}: everyone with an account.`,
    );
    expect((await fetchNote()).status).toBe(200);

    const removed = await cli.ok(['measurement', 'remove', id]);
    expect(removed).toContain('are as they were');
    expect(removed).toContain(`"benchport measurement restore ${id}" undoes it.`);
    expect((await fetchNote()).status).toBe(404);
    const [kept] = JSON.parse(await cli.ok(['measurement', 'removed', '--json'])) as { measurement_id: string }[];
    expect(kept).toMatchObject({ measurement_id: id, title: 'QMR 114', file_count: 2, removed_by: null });
    expect(await cli.ok(['measurement', 'removed'])).toContain('QMR 114');
    expect(await cli.ok(['measurement', 'restore', id])).toBe(`Restored ${id}.`);
    expect((await fetchNote()).status).toBe(200);
    expect(await cli.run(['measurement', 'restore', id])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`There is no removed measurement ${id} that can be restored.`) as string,
    });
    expect(await cli.run(['measurement', 'remove', id, '--for-good'])).toMatchObject({ status: 1 });
    expect((await fetchNote()).status).toBe(200);
    await cli.ok(['measurement', 'remove', id, '--json']);
    expect(await cli.ok(['measurement', 'remove', id, '--for-good'])).toBe(
      `Removed ${id} for good; its files are as they were.`,
    );
    expect(await cli.ok(['measurement', 'removed'])).toBe('');
    expect(await readdir(source)).toEqual(['note.txt', 'raw']);
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  test('is exported as it was registered', async () => {
    const id = await cli.ok(['measurement', 'register', await files('exported'), '--id', 'exported', '--copy']);
    await rm(path.join(cli.dir, 'exported'), { recursive: true });
    const target = path.join(cli.dir, 'target');
    await mkdir(target);
    const folder = await cli.ok(['measurement', 'export', id, '--to', target]);
    expect(await readFile(path.join(folder, 'note.txt'), 'utf8')).toBe('a note\n');
    const { path: zip } = JSON.parse(
      await cli.ok(['measurement', 'export', id, '--to', target, '--format', 'zip', '--json']),
    ) as { path: string };
    expect((await readFile(zip)).subarray(0, 2).toString()).toBe('PK');
    expect((await cli.run(['measurement', 'export', id, '--to', path.join(target, 'nothing')])).status).toBe(1);
  });

  test('that was altered is found by verify, with status 1 and the name of the file', async () => {
    const dir = await files('altered');
    const id = await cli.ok(['measurement', 'register', dir, '--id', 'altered', '--owner', 'bob']);
    expect(await cli.ok(['measurement', 'verify', id])).toContain('2 of 2 files are unchanged');
    await writeFile(path.join(dir, 'note.txt'), 'a lie!\n');
    const { status, stderr } = await cli.run(['measurement', 'verify', id]);
    expect(status).toBe(1);
    expect(stderr).toContain('note.txt');
    expect(stderr).toContain('1 of 2 files is unchanged');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(await cli.ok(['measurement', 'show', id])).toMatch(/degraded, 1 file with problems\n[^]*note\.txt/);
  });

  test('U7: with --leave-out-unsupported is registered without unsupported files, which are listed', async () => {
    const dir = await files('with a link');
    await symlink('note.txt', path.join(dir, 'a link'));
    const refused = await cli.run(['measurement', 'register', dir, '--id', 'linked']);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain('a link');
    const done = await cli.run(['measurement', 'register', dir, '--id', 'linked', '--leave-out-unsupported', '--json']);
    expect([done.status, JSON.parse(done.stdout)]).toEqual([
      0,
      { id: 'linked', files: 2, bytes: 100_007, left_out: 1 },
    ]);
    expect(done.stderr).toMatch(/left out: a link: /);
    const target = path.join(cli.dir, 'bags');
    await mkdir(target);
    const bag = await cli.ok(['measurement', 'export', 'linked', '--to', target, '--format', 'bagit']);
    expect(await readFile(path.join(bag, 'left-out.txt'), 'utf8')).toMatch(/^1 name was left out .*\na link: /);
    expect(await readFile(path.join(bag, 'tagmanifest-sha256.txt'), 'utf8')).toMatch(/^[0-9a-f]{64}  left-out\.txt$/m);
  });

  test('with a used or invalid id is refused', async () => {
    const dir = await files('twice');
    await cli.ok(['measurement', 'register', dir, '--id', 'twice']);
    expect((await cli.run(['measurement', 'register', dir, '--id', 'twice'])).stderr).toContain('already');
    expect((await cli.run(['measurement', 'register', dir, '--id', '../x'])).stderr).toContain('measurement id');
    expect((await cli.run(['measurement', 'register', dir, '--owner', 'nobody'])).stderr).toContain('no user nobody');
    expect((await cli.run(['measurement', 'register', cli.dir])).stderr).toContain('data directory');
  });
});

describe('doctor', () => {
  const check = async () => {
    const { status, stdout } = await cli.run(['doctor', '--json', '--port', '0']);
    return { status, findings: JSON.parse(stdout) as { check: string; ok: boolean; detail: string }[] };
  };

  test('finds nothing wrong in intact data', async () => {
    const { status, findings } = await check();
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.map((finding) => finding.check)).toEqual([
      'Node',
      'data directory',
      'disk',
      'port',
      'database',
      'library',
      'manifests',
      'clock',
    ]);
    expect(status).toBe(0);
  });

  test('finds a missing file of the library', async () => {
    const library = path.join(cli.dataDir, 'library');
    const objects = async () =>
      (await readdir(library, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const others = new Set((await objects()).map(({ name }) => name));
    const alone = path.join(cli.dir, 'alone.txt');
    await writeFile(alone, 'the only one\n');
    const id = await cli.ok(['measurement', 'register', alone, '--id', 'lost', '--copy']);
    const libraryOf = ({ findings }: Awaited<ReturnType<typeof check>>) =>
      findings.find((finding) => finding.check === 'library');
    expect(libraryOf(await check())).toEqual({
      check: 'library',
      ok: true,
      detail: expect.stringMatching(/^(?:1 file|[2-9] files), all there$/),
    });
    for (const entry of await objects()) if (!others.has(entry.name)) await rm(path.join(entry.parentPath, entry.name));
    const found = await check();
    expect(found.status).toBe(1);
    expect(libraryOf(found)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(`^1 file is missing or cut short \\(${id}/alone\\.txt\\);`),
    });
  });
});

test('a service that starts while a command registers a copy leaves it its files', async () => {
  const own = await commandLine();
  try {
    await own.ok(['user', 'create', 'alice', '--admin', '--password-stdin'], 'a-rather-long-Word-7731\n');
    const folder = path.join(own.dir, 'large');
    await mkdir(folder);
    // Large enough to be copied while the service starts.
    await writeFile(path.join(folder, 'a.bin'), '');
    await truncate(path.join(folder, 'a.bin'), 700_000_000);
    const registering = own.run(['measurement', 'register', folder, '--id', 'large', '--copy', '--owner', 'alice']);
    const incoming = path.join(own.dataDir, 'library', 'incoming');
    const copies = async () => (await readdir(incoming).catch(() => [])).length;
    while ((await copies()) === 0) await setTimeout(5);
    const service = await own.serve();
    expect(await registering).toMatchObject({ status: 0, stdout: 'large\n' });
    service.kill('SIGTERM');
    await service.ended;
    expect(await copies()).toBe(0);
  } finally {
    await own.end();
  }
});
