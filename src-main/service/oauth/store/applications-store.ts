import type { Database } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { maxCounted, totalOf, type Total } from '../../database/totals.ts';
import type { Application } from '../shared/types.ts';

export interface NewApplicationRow extends Pick<
  Application,
  'ownerId' | 'name' | 'clientId' | 'secretHash' | 'redirectUris' | 'scopes'
> {
  readonly trusted: boolean;
  readonly legacyImplicit: boolean;
  readonly deviceGrant: boolean;
}

/** The fields that can change; `confidential` is fixed at registration. */
export type ApplicationFields = Pick<Application, 'name' | 'redirectUris' | 'scopes' | 'trusted' | 'deviceGrant'>;

export interface ApplicationsStore {
  create(application: NewApplicationRow): Promise<Application>;
  byId(id: number): Promise<Application | null>;
  byClientId(clientId: string): Promise<Application | null>;
  /** Newest first. */
  ofUser(userId: number): Promise<readonly Application[]>;
  /** Oldest first, with the total count. */
  page(limit: number, offset: number): Promise<{ readonly rows: readonly Application[]; readonly total: Total }>;
  /** Newest first. */
  all(): Promise<readonly Application[]>;
  /** @returns null when the application no longer exists. */
  update(id: number, fields: ApplicationFields): Promise<Application | null>;
  /** @returns false when the application no longer exists, or is public and has no secret. */
  setSecret(id: number, secretHash: Buffer): Promise<boolean>;
  /**
   * Deletes an application with its grants, codes and tokens. @returns false when it did not exist.
   */
  remove(id: number): Promise<boolean>;
}

interface Row {
  readonly id: number;
  readonly owner_id: number;
  readonly name: string;
  readonly client_id: string;
  readonly secret_hash: Buffer | null;
  readonly redirect_uris: string;
  readonly scopes: string;
  readonly trusted: 0 | 1;
  readonly legacy_implicit: 0 | 1;
  readonly device_grant: 0 | 1;
  readonly created_at: number;
}

const insert = write<
  [number, string, string, Buffer | null, string, string, number, number, number, number, number, number],
  Row
>(
  `INSERT INTO oauth_applications
     (owner_id, name, client_id, secret_hash, redirect_uris, scopes, confidential, trusted, legacy_implicit, device_grant, created_at, updated_at)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
);
const byId = read<[number], Row>('SELECT * FROM oauth_applications WHERE id = ?');
const byClientId = read<[string], Row>('SELECT * FROM oauth_applications WHERE client_id = ?');
const ofUser = read<[number], Row>('SELECT * FROM oauth_applications WHERE owner_id = ? ORDER BY id DESC');
const all = read<[], Row>('SELECT * FROM oauth_applications ORDER BY id DESC');
const page = read<[number, number], Row>('SELECT * FROM oauth_applications ORDER BY id LIMIT ? OFFSET ?');
const counted = readValue<[number], number>(
  'SELECT count(*) FROM (SELECT 1 FROM oauth_applications LIMIT ?) AS counted',
);
const update = write<[string, string, string, number, number, number, number], Row>(
  `UPDATE oauth_applications SET name = ?, redirect_uris = ?, scopes = ?, trusted = ?, device_grant = ?, updated_at = ? WHERE id = ? RETURNING *`,
);
const setSecret = write<[Buffer, number, number]>(
  'UPDATE oauth_applications SET secret_hash = ?, updated_at = ? WHERE id = ? AND confidential = 1',
);
const remove = write<[number]>('DELETE FROM oauth_applications WHERE id = ?');

/** Registered applications; only the SHA-256 of a secret is stored. */
export function applicationsStore(database: Database): ApplicationsStore {
  return {
    create: async (application) => {
      const now = Date.now();
      const row = await database.returning(
        insert,
        application.ownerId,
        application.name,
        application.clientId,
        application.secretHash,
        application.redirectUris.join('\n'),
        application.scopes.join(' '),
        Number(application.secretHash !== null),
        Number(application.trusted),
        Number(application.legacyImplicit),
        Number(application.deviceGrant),
        now,
        now,
      );
      if (!row) throw new Error('INSERT ... RETURNING gave no row');
      return fromRow(row);
    },
    byId: async (id) => fromRowOrNull(await database.one(byId, id)),
    byClientId: async (clientId) => fromRowOrNull(await database.one(byClientId, clientId)),
    ofUser: async (userId) => (await database.all(ofUser, userId)).map(fromRow),
    page: async (limit, offset) => ({
      rows: (await database.all(page, limit, offset)).map(fromRow),
      total: totalOf((await database.one(counted, maxCounted + 1)) ?? 0),
    }),
    all: async () => (await database.all(all)).map(fromRow),
    update: async (id, fields) =>
      fromRowOrNull(
        await database.returning(
          update,
          fields.name,
          fields.redirectUris.join('\n'),
          fields.scopes.join(' '),
          Number(fields.trusted),
          Number(fields.deviceGrant),
          Date.now(),
          id,
        ),
      ),
    setSecret: async (id, secretHash) => (await database.run(setSecret, secretHash, Date.now(), id)) > 0,
    remove: async (id) => (await database.run(remove, id)) > 0,
  };
}

function fromRow(row: Row): Application {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    clientId: row.client_id,
    secretHash: row.secret_hash,
    redirectUris: row.redirect_uris === '' ? [] : row.redirect_uris.split('\n'),
    scopes: row.scopes.split(' '),
    confidential: row.secret_hash !== null,
    trusted: row.trusted === 1,
    legacyImplicit: row.legacy_implicit === 1,
    deviceGrant: row.device_grant === 1,
    createdAt: row.created_at,
  };
}

function fromRowOrNull(row: Row | null): Application | null {
  return row === null ? null : fromRow(row);
}
