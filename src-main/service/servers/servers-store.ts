import type Database from 'better-sqlite3';
import type { ServerProblem } from '../contract/servers.ts';
import type { ServerAccess } from '../http-client/http-client.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { openText, sealText } from '../secrets/sealed-text.ts';

export interface RemoteServerRow {
  readonly id: number;
  readonly name: string;
  readonly base_url: string;
  readonly has_token: boolean;
  /** SHA-256 of the trusted certificate in hexadecimal; null without one. */
  readonly certificate: string | null;
  readonly speed_limit: number | null;
  readonly connections: number | null;
  readonly state: 'untested' | 'ok' | 'failed';
  readonly problem: ServerProblem | null;
  readonly message: string | null;
  readonly lists: boolean | null;
  readonly username: string | null;
  readonly checked_at: number | null;
  readonly created_at: number;
}

export interface NewServerRow extends Pick<RemoteServerRow, 'name' | 'base_url' | 'certificate'> {
  readonly token: string | null;
}

/**
 * Omitted members stay unchanged, except that an omitted token is kept only if the origin stays.
 */
export type ServerFields = Partial<
  Pick<RemoteServerRow, 'name' | 'base_url' | 'certificate' | 'speed_limit' | 'connections'>
> & {
  readonly token?: string | null;
};

/** The result of testing a server. */
export interface ServerFinding extends Pick<RemoteServerRow, 'problem' | 'message' | 'lists' | 'username'> {
  readonly state: 'ok' | 'failed';
}

export interface RemoteServersStore {
  /** Sorted by name. */
  all(): Promise<readonly RemoteServerRow[]>;
  byId(id: number): Promise<RemoteServerRow | null>;
  byBaseUrl(baseUrl: string): Promise<RemoteServerRow | null>;
  /** Connection details with the decrypted token; null when there is no such server. */
  source(id: number): Promise<ServerAccess | null>;
  /** @returns null when a server has this address. */
  create(server: NewServerRow): Promise<RemoteServerRow | null>;
  /**
   * Changes to the address, token or certificate reset the test result. @returns null when the
   * server no longer exists.
   */
  update(id: number, fields: ServerFields): Promise<RemoteServerRow | null>;
  /**
   * Stores a test result unless the server was changed meanwhile. @returns null when the server no
   * longer exists.
   */
  found(id: number, tested: ServerAccess, finding: ServerFinding): Promise<RemoteServerRow | null>;
  /** @returns false when it was already removed. */
  remove(id: number): Promise<boolean>;
}

interface Row extends Omit<RemoteServerRow, 'has_token' | 'certificate' | 'lists'> {
  readonly token: Buffer | null;
  readonly certificate: Buffer | null;
  readonly lists: 0 | 1 | null;
}

/** Servers that measurements are fetched from, in SQLite; tokens are stored sealed. */
export function serversStore(database: Database.Database, secrets: SecretBox): RemoteServersStore {
  const all = database.prepare<[], Row>('SELECT * FROM remote_servers ORDER BY folded_key(name), id');
  const byId = database.prepare<[number], Row>('SELECT * FROM remote_servers WHERE id = ?');
  const byBaseUrl = database.prepare<[string], Row>('SELECT * FROM remote_servers WHERE base_url = ?');
  const insert = database.prepare<[string, string, Buffer | null, number], Row>(
    'INSERT INTO remote_servers (name, base_url, certificate, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *',
  );
  const change = database.prepare<[Omit<Row, 'created_at'>]>(
    `UPDATE remote_servers SET name = @name, base_url = @base_url, token = @token, certificate = @certificate, speed_limit = @speed_limit, connections = @connections,
       state = @state, problem = @problem, message = @message, lists = @lists, username = @username, checked_at = @checked_at WHERE id = @id`,
  );
  const remove = database.prepare<[number]>('DELETE FROM remote_servers WHERE id = ?');

  const sourceOf = (row: Row): ServerAccess => ({
    baseUrl: row.base_url,
    token: row.token && openText(secrets, tokenPurpose(row.id, row.base_url), row.token),
    certificate: row.certificate?.toString('hex') ?? null,
  });
  const create = database.transaction((server: NewServerRow): RemoteServerRow | null => {
    const row = insert.get(server.name, server.base_url, bytesOf(server.certificate), Date.now());
    if (!row) return null;
    if (server.token !== null)
      change.run({ ...row, token: sealText(secrets, tokenPurpose(row.id, row.base_url), server.token) });
    return fromRow(byId.get(row.id) ?? row);
  });
  const update = database.transaction((id: number, fields: ServerFields): RemoteServerRow | null => {
    const before = byId.get(id);
    if (!before) return null;
    const baseUrl = fields.base_url ?? before.base_url;
    const elsewhere = new URL(baseUrl).origin !== new URL(before.base_url).origin;
    const kept = elsewhere ? null : before.token;
    const after: Row = {
      ...before,
      name: fields.name ?? before.name,
      base_url: baseUrl,
      token:
        fields.token === undefined
          ? kept
          : fields.token === null
            ? null
            : sealText(secrets, tokenPurpose(id, baseUrl), fields.token),
      certificate:
        fields.certificate === undefined ? (elsewhere ? null : before.certificate) : bytesOf(fields.certificate),
      speed_limit: fields.speed_limit === undefined ? before.speed_limit : fields.speed_limit,
      connections: fields.connections === undefined ? before.connections : fields.connections,
    };
    const same = baseUrl === before.base_url && fields.token === undefined && fields.certificate === undefined;
    change.run(same ? after : { ...after, ...untested });
    return fromRow(byId.get(id) ?? after);
  });
  const found = database.transaction(
    (id: number, tested: ServerAccess, finding: ServerFinding): RemoteServerRow | null => {
      const row = byId.get(id);
      if (!row) return null;
      const now = sourceOf(row);
      const unchanged =
        now.baseUrl === tested.baseUrl && now.token === tested.token && now.certificate === tested.certificate;
      if (unchanged)
        change.run({
          ...row,
          ...finding,
          lists: finding.lists === null ? null : finding.lists ? 1 : 0,
          checked_at: Date.now(),
        });
      return fromRow(byId.get(id) ?? row);
    },
  );

  return {
    all: async () => all.all().map(fromRow),
    byId: async (id) => fromRowOrNull(byId.get(id)),
    byBaseUrl: async (baseUrl) => fromRowOrNull(byBaseUrl.get(baseUrl)),
    source: async (id) => {
      const row = byId.get(id);
      return row ? sourceOf(row) : null;
    },
    create: async (server) => create.immediate(server),
    update: async (id, fields) => update.immediate(id, fields),
    found: async (id, tested, finding) => found.immediate(id, tested, finding),
    remove: async (id) => remove.run(id).changes > 0,
  };
}

const untested = {
  state: 'untested',
  problem: null,
  message: null,
  lists: null,
  username: null,
  checked_at: null,
} as const;

function fromRow({ token, certificate, lists, ...row }: Row): RemoteServerRow {
  return {
    ...row,
    has_token: token !== null,
    certificate: certificate?.toString('hex') ?? null,
    lists: lists === null ? null : lists === 1,
  };
}

function fromRowOrNull(row: Row | undefined): RemoteServerRow | null {
  return row ? fromRow(row) : null;
}

/** A token is sealed for its server and origin. */
function tokenPurpose(id: number, baseUrl: string): string {
  return `remote-server:${id}:${new URL(baseUrl).origin}`;
}

function bytesOf(certificate: string | null): Buffer | null {
  return certificate === null ? null : Buffer.from(certificate, 'hex');
}
