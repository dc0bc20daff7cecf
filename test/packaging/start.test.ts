import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';

// Builds first if the build is stale.
vi.setConfig({ testTimeout: 180_000 });

const root = path.resolve(import.meta.dirname, '../..');

test('npm start without a display says so in one line with remedies, and runs the service', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-start-'));
  const environment = { ...process.env };
  delete environment['DISPLAY'];
  delete environment['WAYLAND_DISPLAY'];
  const child = spawn(
    process.execPath,
    [path.join(root, 'scripts/start.mjs'), '--port', '0', '--data', path.join(dir, 'data')],
    {
      cwd: dir,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group, so that the service it starts can be killed with it.
      detached: true,
    },
  );
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece: string) => (said[name] += piece));
  const ended = once(child, 'close') as Promise<[number | null]>;
  try {
    await expect.poll(() => said.stdout, { timeout: 150_000, interval: 100 }).toContain('\n');
    const { event, url, pid } = JSON.parse(said.stdout) as { event: string; url: string; pid: number };
    expect(event).toBe('listening');
    const told = said.stderr.split('\n').filter((line) => line.startsWith('start: ') && line !== 'start: building');
    expect(told).toEqual([
      expect.stringMatching(/^start: No display here, .*"apt-get install .*" .*The headless service starts instead\.$/),
    ]);
    expect((await fetch(`${url}/-/health`)).status).toBe(200);
    await expect.poll(() => said.stderr).toMatch(/No account exists yet\. Open http:\S+ in a browser/);
    process.kill(pid, 'SIGTERM');
    expect((await ended)[0]).toBe(0);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await rm(dir, { recursive: true, force: true });
  }
});
