import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { programEntry } from '../service/program-entry.ts';
import { commandLine, type CommandLine, type Outcome, type ServeProcess } from './command-line.ts';

/** Mebibytes for a long test with a hundred kills, which needs twice as much room on the disk. */
const longMib = Number(process.env['LONG_UPLOAD_TEST'] ?? 0);
const isLong = longMib > 0;
vi.setConfig({ testTimeout: isLong ? 7_200_000 : 240_000, hookTimeout: 60_000 });

const kills = isLong ? 100 : 12;
const size = (isLong ? longMib : 96) * 1024 * 1024;
/** Of a kill, with what the buffers of three sockets hold. */
const againBytes = 4 * 1024 * 1024;

let cli: CommandLine;
let served: ServeProcess;
let port: number;
let tokenFile: string;
let token: string;

async function serve(): Promise<void> {
  served = await cli.serve(['--port', String(port)]);
}

beforeAll(async () => {
  cli = await commandLine();
  port = await freePort();
  await serve();
  await cli.ok(['user', 'create', 'alice', '--password-stdin'], 'seven lamps over 9 benches\n');
  const scopes = ['--scopes', 'write_measurement,read_measurement'];
  token = await cli.ok(['token', 'create', '--user', 'alice', '--name', 'bench', ...scopes]);
  tokenFile = path.join(cli.dir, 'token');
  await writeFile(tokenFile, token);
});
afterAll(async () => cli.end());

const upload = async (given: string, ...args: readonly string[]): Promise<Outcome> =>
  cli.run(['upload', path.join(cli.dir, given), '--to', served.url, '--token-file', tokenFile, ...args]);

async function fetched(id: string, rest: string): Promise<Response> {
  return fetch(`${served.url}/measurements/${id}${rest}`, { headers: { authorization: `Bearer ${token}` } });
}

async function paths(id: string): Promise<readonly string[]> {
  const manifest = (await (await fetched(id, '/files')).json()) as {
    readonly files: readonly { readonly path: string }[];
  };
  return manifest.files.map((file) => file.path);
}

test('a folder is uploaded with all its files, a file alone, and an archive as it is', async () => {
  const bytes = randomBytes(400_000);
  await mkdir(path.join(cli.dir, 'Run 114', 'raw'), { recursive: true });
  await writeFile(path.join(cli.dir, 'Run 114', 'raw', 'Größe.bin'), bytes);
  await writeFile(path.join(cli.dir, 'Run 114', 'empty.txt'), '');
  expect(await upload('Run 114')).toEqual({
    status: 0,
    stdout: `${served.url}/measurements/Run-114\n`,
    stderr: 'Uploaded 2 files, 390.9 KiB, verified\nReceipt: Run-114.receipt.json\n',
  });
  expect(await paths('Run-114')).toEqual(['empty.txt', 'raw/Größe.bin']);
  expect(Buffer.from(await (await fetched('Run-114', '/files/1')).arrayBuffer()).equals(bytes)).toBe(true);

  const single = await upload('Run 114/raw/Größe.bin', '--id', 'single', '--json');
  expect([single.status, JSON.parse(single.stdout)]).toMatchObject([0, { id: 'single', files: 1 }]);
  expect(await paths('single')).toEqual(['Größe.bin']);

  await writeFile(path.join(cli.dir, 'again.zip'), Buffer.from(await (await fetched('Run-114', '')).arrayBuffer()));
  expect(await upload('again.zip')).toMatchObject({ status: 0, stdout: `${served.url}/measurements/again\n` });
  expect(await paths('again')).toEqual(['empty.txt', 'raw/Größe.bin']);
});

test('what cannot be uploaded is refused with the reason', async () => {
  expect(await upload('nothing here')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('nothing here') as string,
  });
  await mkdir(path.join(cli.dir, 'hollow'), { recursive: true });
  expect(await upload('hollow')).toMatchObject({ status: 1, stderr: 'benchport: There are no files to upload.\n' });
  expect(await upload('Run 114')).toEqual({
    status: 0,
    stdout: `${served.url}/measurements/Run-114\n`,
    stderr: 'Already there: 2 files, 390.9 KiB, verified\nReceipt: Run-114.receipt.json\n',
  });
  await writeFile(path.join(cli.dir, 'Run 114', 'empty.txt'), 'no longer');
  const taken = await upload('Run 114');
  expect([taken.status, taken.stderr]).toEqual([
    1,
    'benchport: There is already a measurement Run-114. Choose another id.\n',
  ]);
  expect(await upload('Run 114', '--certificate', 'a'.repeat(64))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('has no certificate') as string,
  });
  await writeFile(path.join(cli.dir, 'wrong.zip'), randomBytes(1000));
  expect(await upload('wrong.zip')).toMatchObject({ status: 1, stderr: expect.stringMatching(/ZIP/) as string });
});

/** A way to the server that can be cut, and counts what the client sends. */
async function startRelay(): Promise<{ readonly url: string; bytes(): number; cut(): void; server: Server }> {
  const sockets = new Set<Socket>();
  let received = 0;
  const server = createServer((client) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      // Slower than the kills are.
      one.on('data', (chunk: Buffer) => {
        if (one === client) received += chunk.length;
        one.pause();
        other.write(chunk, () => one.resume());
      });
      one.on('end', () => other.end());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => received,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    server,
  };
}

/** Writes a file of the size, of which no two parts are equal. @returns its SHA-256. */
async function writeRandom(file: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(file, 'w');
  const block = randomBytes(16 * 1024 * 1024);
  for (let at = 0; at < size; at += block.length) {
    block.writeBigUInt64LE(BigInt(at));
    hash.update(block);
    await handle.write(block);
  }
  await handle.close();
  return hash.digest('hex');
}

test('an upload goes on through cuts and kills of both ends, and little is sent again', async () => {
  const file = path.join(cli.dir, 'large.bin');
  const digest = await writeRandom(file);
  const relay = await startRelay();
  const start = (): ChildProcess =>
    spawn(
      process.execPath,
      [programEntry('command line'), 'upload', file, '--to', relay.url, '--token-file', tokenFile, '--id', 'large'],
      { cwd: cli.dir, stdio: ['ignore', 'ignore', 'inherit'] },
    );
  let client = start();
  for (let kill = 0; kill < kills; kill += 1) {
    const goal = relay.bytes() + size / (kills + 4);
    while (relay.bytes() < goal) {
      expect(client.exitCode).toBe(null);
      await setTimeout(1);
    }
    if (kill % 3 === 0) relay.cut();
    else if (kill % 3 === 1) {
      client.kill('SIGKILL');
      await once(client, 'exit');
      client = start();
    } else {
      served.kill('SIGKILL');
      await served.ended;
      await serve();
    }
  }
  if (client.exitCode === null) await once(client, 'exit');
  expect(client.exitCode).toBe(0);
  relay.cut();
  relay.server.close();
  expect(relay.bytes()).toBeLessThan(size + kills * againBytes);
  const received = createHash('sha256');
  for await (const chunk of (await fetched('large', '/files/0')).body ?? []) received.update(chunk);
  expect(received.digest('hex')).toBe(digest);
  expect((await stat(file)).size).toBe(size);
  await rm(file);
});
