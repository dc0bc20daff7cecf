import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../src-main/service/database/migrate.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';

test('rules and deliveries are kept with their ids, and ids of removed ones are not given again', () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'benchport-rules-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const connection = new Database(path.join(dir, 'benchport.db'));
  connection.pragma('foreign_keys = ON');
  migrate(
    connection,
    migrations.filter(({ number }) => number <= 30),
    dir,
  );
  connection.exec(`
    INSERT INTO users (id, username, name, created_at) VALUES (1, 'alice', 'Alice', 1);
    INSERT INTO notification_rules (id, user_id, name, settings, secret, created_at) VALUES
      (3, 1, 'night', '{"kinds":[]}', x'00ff', 5), (9, 1, 'gone', '{}', NULL, 6);
    INSERT INTO deliveries (id, rule_id, at, kind, subject, title, state, attempts, retry_at) VALUES
      (70, 3, 1, 'degraded', 'measurement:a', 'a', 'waiting', 2, 77), (80, 9, 1, 'degraded', 'measurement:a', 'a', 'sent', 1, NULL);
    DELETE FROM notification_rules WHERE id = 9;
  `);
  migrate(connection, migrations, dir);
  expect(connection.prepare('SELECT * FROM notification_rules').all()).toMatchObject([
    { id: 3, user_id: 1, project_id: null, name: 'night', secret: Buffer.from('00ff', 'hex'), created_at: 5 },
  ]);
  expect(connection.prepare('SELECT * FROM deliveries').all()).toMatchObject([
    { id: 70, rule_id: 3, state: 'waiting', attempts: 2, retry_at: 77 },
  ]);
  expect(connection.pragma('foreign_key_check')).toEqual([]);
  connection.exec(`
    INSERT INTO projects (id, path, name, created_at) VALUES (4, 'lab', 'Lab', 1);
    INSERT INTO notification_rules (project_id, name, settings, created_at) VALUES (4, 'night', '{}', 7);
    INSERT INTO deliveries (rule_id, at, kind, subject, title) VALUES (3, 2, 'degraded', 'measurement:b', 'b');
  `);
  const ids = (table: string): unknown =>
    connection.prepare(`SELECT id FROM ${table} ORDER BY id DESC LIMIT 1`).pluck().get();
  expect([ids('notification_rules'), ids('deliveries')]).toEqual([10, 81]);
  // With its project a rule goes, and its messages go with a rule.
  connection.exec('DELETE FROM projects; DELETE FROM users');
  expect(connection.prepare('SELECT count(*) FROM deliveries').pluck().get()).toBe(0);
  expect(() =>
    connection.exec(`INSERT INTO notification_rules (name, settings, created_at) VALUES ('x', '{}', 7)`),
  ).toThrow(/CHECK/);
  connection.close();
});
