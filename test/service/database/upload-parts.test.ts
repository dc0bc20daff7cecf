import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../src-main/service/database/migrate.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';

test('uploads that have begun go on in their folders, and parts go with their upload', () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'benchport-parts-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const connection = new Database(path.join(dir, 'benchport.db'));
  connection.pragma('foreign_keys = ON');
  migrate(
    connection,
    migrations.filter(({ number }) => number <= 36),
    dir,
  );
  connection.exec(`
    INSERT INTO uploads (id, measurement_id, title, owner_id, file_name, length, created_at, touched_at, archive_tag)
    VALUES ('u', 'run-1', 'Run 1', 1, 'manifest.ndjson', 5, 1, 1, 'tag');
  `);
  migrate(connection, migrations, dir);
  expect(connection.prepare('SELECT * FROM uploads').all()).toMatchObject([
    { id: 'u', length: 5, object_key: null, object_upload: null, tail_bytes: 0 },
  ]);
  const add = `INSERT INTO upload_parts (upload_id, number, etag, member, member_offset, line, position, crc32)`;
  connection.exec(`${add} VALUES ('u', 1, 'e', 0, 0, 0, 0, 0)`);
  expect(() => connection.exec(`${add} VALUES ('other', 1, 'e', 0, 0, 0, 0, 0)`)).toThrow(/FOREIGN KEY/);
  connection.exec('DELETE FROM uploads');
  expect(connection.prepare('SELECT count(*) FROM upload_parts').pluck().get()).toBe(0);
  connection.close();
});
