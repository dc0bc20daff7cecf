import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { removeServer, serverIn, sharedDir } from './server.ts';

/** Names this run, so that its tests share one PostgreSQL, and ends it with the run. */
export function setup(): void {
  process.env['BENCHPORT_TEST_RUN'] = String(process.pid);
}

export function teardown(): void {
  const dir = sharedDir(String(process.pid));
  const port = path.join(dir, 'port');
  if (existsSync(port)) removeServer(serverIn(dir, Number(readFileSync(port, 'utf8'))));
  rmSync(`${dir}.lock`, { recursive: true, force: true });
}
