import type { Adapter, AdapterPayload } from 'oidc-provider';
import pg from 'pg';

const table = `CREATE TABLE oidc_objects (
  model text, id text, payload jsonb NOT NULL, grant_id text, uid text, user_code text, expires_at timestamptz, consumed_at timestamptz,
  PRIMARY KEY (model, id));
CREATE INDEX oidc_by_grant ON oidc_objects (grant_id) WHERE grant_id IS NOT NULL`;
const columns = 'payload, consumed_at, expires_at';

interface Row {
  readonly payload: AdapterPayload;
  readonly consumed_at: Date | null;
  readonly expires_at: Date | null;
}

/** The adapter of oidc-provider for PostgreSQL: one row an object, one prepared statement a call. */
export async function postgresAdapter(url: string): Promise<(model: string) => Adapter> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query(table);
  const run = async (name: string, text: string, values: readonly unknown[]): Promise<readonly Row[]> =>
    (await pool.query<Row>({ name, text, values: [...values] })).rows;
  const found = ([row]: readonly Row[]): AdapterPayload | undefined => {
    if (!row || (row.expires_at !== null && row.expires_at.getTime() <= Date.now())) return undefined;
    return row.consumed_at === null ? row.payload : { ...row.payload, consumed: row.consumed_at.getTime() / 1000 };
  };
  return (model) => ({
    upsert: async (id, payload, expiresIn) => {
      const expires = expiresIn > 0 ? new Date(Date.now() + expiresIn * 1000) : null;
      const { grantId = null, uid = null, userCode = null } = payload;
      await run(
        'upsert',
        `INSERT INTO oidc_objects (model, id, payload, grant_id, uid, user_code, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (model, id) DO UPDATE SET payload = $3, expires_at = $7`,
        [model, id, payload, grantId, uid, userCode, expires],
      );
    },
    find: async (id) =>
      found(await run('find', `SELECT ${columns} FROM oidc_objects WHERE model = $1 AND id = $2`, [model, id])),
    findByUid: async (uid) =>
      found(await run('uid', `SELECT ${columns} FROM oidc_objects WHERE model = $1 AND uid = $2`, [model, uid])),
    findByUserCode: async (code) =>
      found(
        await run('code', `SELECT ${columns} FROM oidc_objects WHERE model = $1 AND user_code = $2`, [model, code]),
      ),
    consume: async (id) =>
      void (await run('consume', 'UPDATE oidc_objects SET consumed_at = now() WHERE model = $1 AND id = $2', [
        model,
        id,
      ])),
    destroy: async (id) =>
      void (await run('destroy', 'DELETE FROM oidc_objects WHERE model = $1 AND id = $2', [model, id])),
    revokeByGrantId: async (grantId) =>
      void (await run('revoke', 'DELETE FROM oidc_objects WHERE grant_id = $1', [grantId])),
  });
}
