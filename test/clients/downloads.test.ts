import { hash } from 'node:crypto';
import { mkdir, readFile, stat, truncate, copyFile, writeFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { addMeasurement, openBeside, type Fixture } from '../service/fixture-measurement.ts';
import { mustRun, run, sevenZip } from '../service/run-program.ts';
import { startTestService } from '../service/start.ts';
import { useTestService } from '../service/use-service.ts';
import { big, files } from './download-files.ts';

const service = useTestService();
let fixture: Fixture;
let authorization: string;
let base: string;
let number = 0;
let archive: Buffer;

beforeAll(async () => {
  const alice = await service.user('alice');
  authorization = `Authorization: Bearer ${await service.token(alice)}`;
  fixture = await addMeasurement(
    service,
    alice,
    'QX-7',
    Object.entries(files).map(([name, bytes]) => ({ path: name, bytes })),
  );
  base = `${service.url}/measurements/QX-7`;
  archive = Buffer.from(
    await (await fetch(base, { headers: { authorization: authorization.slice(15) } })).arrayBuffer(),
  );
});

/** A folder for one download. */
async function folder(): Promise<string> {
  number += 1;
  const dir = path.join(service.dir, `client-${number}`);
  await mkdir(dir);
  return dir;
}

const curl = (args: readonly string[], cwd: string) => mustRun('curl', ['-sSf', '-H', authorization, ...args], { cwd });
const wget = (args: readonly string[], cwd: string) =>
  mustRun('wget', ['-nv', '--header', authorization, ...args], { cwd });
const same = async (file: string, bytes: Buffer) =>
  expect(hash('sha256', await readFile(file))).toBe(hash('sha256', bytes));

describe('curl', () => {
  test('fetches a range, several ranges, and continues', async () => {
    const cwd = await folder();
    await curl(['-r', '1000-1999', '-o', 'part', `${base}/files/2`], cwd);
    await same(path.join(cwd, 'part'), big.subarray(1000, 2000));
    await curl(['-r', '-500', '-o', 'tail', `${base}/files/2`], cwd);
    await same(path.join(cwd, 'tail'), big.subarray(-500));
    expect(await curl(['-r', '0-1,3-4', `${base}/files/0`], cwd)).toContain('Content-Range: bytes 3-4/6');
    await writeFile(path.join(cwd, 'whole'), big.subarray(0, 4_321_987));
    await curl(['-C', '-', '-o', 'whole', `${base}/files/2`], cwd);
    await same(path.join(cwd, 'whole'), big);
    // For a complete file the service responds 416, which curl accepts.
    await run('curl', ['-sS', '-H', authorization, '-C', '-', '-o', 'whole', `${base}/files/2`], { cwd });
    await same(path.join(cwd, 'whole'), big);
  });

  test('saves under the name that the service gives', async () => {
    const cwd = await folder();
    await curl(['-OJ', `${base}/files/2`], cwd);
    await same(path.join(cwd, 'big.bin'), big);
    await curl(['-OJ', `${base}/files/3`], cwd);
    await same(path.join(cwd, 'gro_e _m.csv'), files['run 1/größe µm.csv']).catch(async () =>
      same(path.join(cwd, 'gro_e \u03bcm.csv'), files['run 1/größe µm.csv']),
    );
    await curl(['-OJ', base], cwd);
    await same(path.join(cwd, 'QX-7.zip'), archive);
  });

  test('ends with an error when access is missing or the path is wrong', async () => {
    const cwd = await folder();
    expect((await run('curl', ['-sSf', base], { cwd })).status).toBe(22);
    expect((await run('curl', ['-sSf', '-H', authorization, `${base}/files/77`], { cwd })).status).toBe(22);
  });
});

describe('wget', () => {
  test('continues, and prefers the exact name', async () => {
    const cwd = await folder();
    await writeFile(path.join(cwd, '2'), big.subarray(0, 1_234_567));
    await wget(['-c', `${base}/files/2`], cwd);
    await same(path.join(cwd, '2'), big);
    await wget(['--content-disposition', base], cwd);
    await same(path.join(cwd, 'QX-7.zip'), archive);
  });
});

describe('aria2', () => {
  const aria2 = (args: readonly string[], cwd: string) =>
    run('aria2c', ['-q', '--allow-overwrite=true', '--header', authorization, '-x8', '-s8', '-k1M', ...args], { cwd });
  test('fetches file and archive in segments and verifies the digest', async () => {
    const cwd = await folder();
    expect((await aria2(['-o', 'f', `--checksum=sha-256=${hash('sha256', big)}`, `${base}/files/2`], cwd)).status).toBe(
      0,
    );
    await same(path.join(cwd, 'f'), big);
    expect((await aria2(['-o', 'z', `--checksum=sha-256=${hash('sha256', archive)}`, base], cwd)).status).toBe(0);
    await same(path.join(cwd, 'z'), archive);
  });

  test('detects a wrong registration by the Digest header', async () => {
    const beside = openBeside(service);
    const index = 0;
    const right = beside
      .prepare<[number], Buffer>('SELECT sha256 FROM measurement_files WHERE idx = ?')
      .pluck()
      .get(index);
    beside.prepare('UPDATE measurement_files SET sha256 = ? WHERE idx = ?').run(Buffer.alloc(32), index);
    const cwd = await folder();
    const ran = await aria2(['-o', 'f', `${base}/files/${index}`], cwd);
    beside.prepare('UPDATE measurement_files SET sha256 = ? WHERE idx = ?').run(right, index);
    beside.close();
    expect(ran.status).toBe(32);
  });

  test('continues after it was killed', async () => {
    const cwd = await folder();
    const slow = await run(
      'timeout',
      [
        '-s',
        'KILL',
        '1',
        'aria2c',
        '-q',
        '--header',
        authorization,
        '-x4',
        '-s4',
        '-k1M',
        '--max-download-limit=2M',
        '--auto-save-interval=1',
        '--file-allocation=none',
        '-o',
        'f',
        `${base}/files/2`,
      ],
      { cwd },
    );
    expect(slow.status).not.toBe(0);
    expect((await aria2(['-c', '-o', 'f', `${base}/files/2`], cwd)).status).toBe(0);
    await same(path.join(cwd, 'f'), big);
  });
});

describe('the archive', () => {
  test('is unpacked by unzip, bsdtar, 7-Zip and Python to the registered bytes', async () => {
    const cwd = await folder();
    await writeFile(path.join(cwd, 'm.zip'), archive);
    const unpack: Record<string, () => Promise<unknown>> = {
      unzip: () => mustRun('unzip', ['-q', 'm.zip', '-d', 'unzip'], { cwd }),
      bsdtar: () => mustRun('sh', ['-c', 'mkdir bsdtar && bsdtar -xf m.zip -C bsdtar'], { cwd }),
      sevenzip: () => sevenZip(['x', `-o${cwd}/sevenzip`, `${cwd}/m.zip`]),
      python: () => mustRun('python3', ['-m', 'zipfile', '-e', 'm.zip', 'python'], { cwd }),
      // bsdtar reads the archive as a stream, without its central directory.
      stream: () => mustRun('sh', ['-c', 'mkdir stream && bsdtar -xf - -C stream < m.zip'], { cwd }),
    };
    for (const [name, extract] of Object.entries(unpack)) {
      await extract();
      for (const [file, bytes] of Object.entries(files)) await same(path.join(cwd, name, file), bytes);
    }
    const { mtimeMs } = await stat(path.join(cwd, 'unzip', 'a-first.txt'));
    expect(mtimeMs).toBe(Date.UTC(2026, 8, 1, 10, 20, 31));
  });

  test('truncated anywhere and continued by curl or wget is the same archive', async () => {
    const directory = archive.readUInt32LE(archive.length - 6);
    const bigData = archive.indexOf(big.subarray(0, 64));
    const cuts = {
      'inside the first local header': 17,
      'inside the name': 33,
      'at the start of data': bigData,
      'inside the local header of a later member': bigData - 12,
      'in the middle of data': bigData + 5_000_001,
      'at the start of the directory': directory,
      'inside the directory': directory + 70,
      'inside the last 22 bytes': archive.length - 9,
      'one byte before the end': archive.length - 1,
    };
    const cwd = await folder();
    const whole = path.join(cwd, 'whole');
    await writeFile(whole, archive);
    for (const cut of Object.values(cuts)) {
      for (const go of [
        (name: string) => curl(['-C', '-', '-o', name, base], cwd),
        (name: string) => wget(['-c', '-O', name, base], cwd),
      ]) {
        const file = path.join(cwd, 'cut');
        await copyFile(whole, file);
        await truncate(file, cut);
        await go('cut');
        await same(file, archive);
        await rm(file);
      }
    }
  });

  test('is read member by member over ranges by Python', async () => {
    const script = `
import io, sys, urllib.request, zipfile, hashlib
class Remote(io.RawIOBase):
    def __init__(self, url, auth): self.url, self.auth, self.at, self.asked = url, auth, 0, 0; self.size = int(self.ask('HEAD').headers['Content-Length'])
    def ask(self, method, range=None):
        headers = {'Authorization': self.auth}
        if range: headers['Range'] = range
        return urllib.request.urlopen(urllib.request.Request(self.url, method=method, headers=headers))
    def seekable(self): return True
    def readable(self): return True
    def tell(self): return self.at
    def seek(self, offset, whence=0):
        self.at = offset if whence == 0 else self.at + offset if whence == 1 else self.size + offset
        return self.at
    def readinto(self, buffer):
        if self.at >= self.size: return 0
        data = self.ask('GET', f'bytes={self.at}-{min(self.at + len(buffer), self.size) - 1}').read()
        buffer[:len(data)] = data
        self.at += len(data); self.asked += len(data)
        return len(data)
remote = Remote(sys.argv[1], sys.argv[2])
z = zipfile.ZipFile(io.BufferedReader(remote, 4096))
assert z.read('run 1/größe µm.csv') == b'a;b\\n'
assert remote.asked < 100000, remote.asked
print('ok')`;
    expect(await mustRun('python3', ['-c', script, base, authorization.slice(15)])).toBe('ok\n');
  });

  test('has the same bytes after a restart', async () => {
    await service.stop();
    const again = await startTestService({ dataDir: service.services.config.dataDir });
    try {
      const response = await fetch(`${again.url}/measurements/QX-7`, {
        headers: { authorization: authorization.slice(15) },
      });
      expect(response.headers.get('etag')).toBe(`"zip1-${fixture.tag}"`);
      expect(Buffer.from(await response.arrayBuffer()).equals(archive)).toBe(true);
      // An interrupted download is continued.
      const cwd = await folder();
      await writeFile(path.join(cwd, 'cut.zip'), archive.subarray(0, 3_000_001));
      await curl(['-C', '-', '-o', 'cut.zip', `${again.url}/measurements/QX-7`], cwd);
      await same(path.join(cwd, 'cut.zip'), archive);
    } finally {
      await again.end();
    }
  });
});
