import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';

const child = path.resolve(import.meta.dirname, '../../service-child.ts');
/** BENCHPORT_KILLS=100 for all of them; a few with each run of the suite. */
const rounds = Number(process.env['BENCHPORT_KILLS'] ?? 3);

it(
  'kill -9 under load: every answered event is there, and all counters equal the rows',
  { timeout: 60_000 + rounds * 30_000 },
  async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-kill-'));
    const dataDir = path.join(dir, 'data');
    const answered = new Set<string>();
    const start = async () => {
      const socketPath = path.join(dir, `${randomBytes(4).toString('hex')}.sock`);
      const service = spawn(process.execPath, [child, dataDir, socketPath, 'a-secret-of-this-test-launch'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(service.stdout, 'data');
      return { service, socketPath };
    };
    const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
    try {
      let { service, socketPath } = await start();
      const database = new Database(path.join(dataDir, 'benchport.db'), { timeout: 10_000 });
      const key = `bpk_${'a'.repeat(32)}`;
      database.exec(`INSERT INTO projects (id, path, name, created_at) VALUES (5, 'lab', 'lab', 1);
      INSERT INTO error_tracking_settings (project_id, active, integrated) VALUES (5, 1, 1);
      INSERT INTO client_keys (project_id, public_key, created_at) VALUES (5, '${key}', 1)`);
      database.close();

      for (let round = 0; round < rounds; round += 1) {
        const now = { ended: false };
        const before = answered.size;
        const send = async (index: number): Promise<void> => {
          const id = randomBytes(16).toString('hex');
          const body = JSON.stringify({
            event_id: id,
            message: `kind ${['alpha', 'beta', 'gamma'][index % 3]}`,
            user: { id: index % 7 },
            tags: { bench: index % 4 },
            release: `r${round}`,
          });
          const status = await new Promise<number>((resolve) => {
            const options = {
              socketPath,
              agent,
              method: 'POST',
              path: `/api/v4/error_tracking/collector/api/5/store/?sentry_key=${key}`,
            };
            const request = http.request(options, (response) =>
              response.resume().once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0)),
            );
            request.on('error', () => resolve(0));
            request.end(body);
          });
          if (status === 200) answered.add(id);
          else if (status !== 0) expect(status).toBe(429);
          else now.ended = true;
        };
        const loops = Array.from({ length: 32 }, async (_, loop) => {
          for (let index = loop; !now.ended; index += 32) await send(index);
        });
        while (answered.size < before + 300) await new Promise((resolve) => setTimeout(resolve, 5));
        service.kill('SIGKILL');
        await once(service, 'exit');
        await Promise.all(loops);
        ({ service, socketPath } = await start());
      }
      service.kill('SIGTERM');
      await once(service, 'exit');

      const after = new Database(path.join(dataDir, 'benchport.db'), { readonly: true });
      const one = (sql: string) => after.prepare<[], number>(sql).pluck().get();
      const stored = new Set(after.prepare<[], string>('SELECT lower(hex(event_id)) FROM error_events').pluck().all());
      expect([...answered].filter((id) => !stored.has(id))).toEqual([]);
      expect(answered.size).toBeGreaterThanOrEqual(rounds * 300);
      const rows = stored.size;
      expect({
        errors: one('SELECT sum(events) FROM errors'),
        groups: one('SELECT sum(events) FROM error_groups'),
        hours: one('SELECT sum(events) FROM error_hours'),
        levels: one("SELECT sum(events) FROM error_tags WHERE tag = 'level'"),
        bench: one("SELECT sum(events) FROM error_tags WHERE tag = 'bench'"),
        key: one('SELECT events FROM client_keys'),
        accepted: one("SELECT sum(count) FROM ingest_counts WHERE outcome = 'accepted'"),
      }).toEqual({ errors: rows, groups: rows, hours: rows, levels: rows, bench: rows, key: rows, accepted: rows });
      expect(one('SELECT count(*) FROM errors')).toBe(3);
      expect(one('SELECT sum(users) FROM errors')).toBe(one('SELECT count(*) FROM error_users'));
      expect(one('SELECT count(*) FROM error_events WHERE group_id NOT IN (SELECT id FROM error_groups)')).toBe(0);
      expect(after.pragma('integrity_check', { simple: true })).toBe('ok');
      after.close();
    } finally {
      agent.destroy();
      await rm(dir, { recursive: true, force: true });
    }
  },
);
