import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../../../src-main/service/database/migrate.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';

test('rows from before replicas name none', () => {
  const database = new Database(':memory:');
  migrate(
    database,
    migrations.filter(({ number }) => number <= 18),
    '',
  );
  database.exec(`INSERT INTO transfers (started_at, measurement_id, what, status) VALUES (1, 'run', 'file', 200);
    INSERT INTO jobs (kind, measurement_id, parameters, state, created_at) VALUES ('verify', 'run', '{}', 'running', 1)`);
  const rest = migrations.filter(({ number }) => number > 18);
  for (const { sql } of rest) database.exec(sql);
  expect(database.prepare('SELECT measurement_id, replica_id FROM transfers').all()).toEqual([
    { measurement_id: 'run', replica_id: null },
  ]);
  expect(database.prepare('SELECT state, replica_id FROM jobs').all()).toEqual([
    { state: 'running', replica_id: null },
  ]);
  database.close();
});
