import type { Database, Transaction } from '../database/port/database.ts';
import { perEngine } from '../database/port/dialect.ts';
import { read, write } from '../database/port/query.ts';
import { one, returning, run } from '../database/port/steps.ts';
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
  /** Whether this bench reports to it, if it pushes there. */
  readonly reports: boolean;
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
  Pick<RemoteServerRow, 'name' | 'base_url' | 'certificate' | 'speed_limit' | 'connections' | 'reports'>
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

interface Row extends Omit<RemoteServerRow, 'has_token' | 'certificate' | 'lists' | 'reports'> {
  readonly token: Buffer | null;
  readonly certificate: Buffer | null;
  readonly lists: 0 | 1 | null;
  readonly reports: 0 | 1;
}

const all = read<[], Row>(`SELECT * FROM remote_servers ORDER BY ${perEngine('folded_key(name)', 'folded(name)')}, id`);
const byId = read<[number], Row>('SELECT * FROM remote_servers WHERE id = ?');
const byBaseUrl = read<[string], Row>('SELECT * FROM remote_servers WHERE base_url = ?');
const insert = write<[string, string, Buffer | null, number], Row>(
  'INSERT INTO remote_servers (name, base_url, certificate, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *',
);
const change = write<Omit<Row, 'created_at'>>(
  `UPDATE remote_servers SET name = @name, base_url = @base_url, token = @token, certificate = @certificate, speed_limit = @speed_limit, connections = @connections, reports = @reports,
     state = @state, problem = @problem, message = @message, lists = @lists, username = @username, checked_at = @checked_at WHERE id = @id`,
);
const remove = write<[number]>('DELETE FROM remote_servers WHERE id = ?');

/** Servers that measurements are fetched from; tokens are stored sealed. */
export function serversStore(database: Database, secrets: SecretBox): RemoteServersStore {
  function* create(server: NewServerRow): Transaction<RemoteServerRow | null> {
    const row = yield* returning(insert, server.name, server.base_url, bytesOf(server.certificate), Date.now());
    if (!row) return null;
    if (server.token !== null)
      yield* run(change, { ...row, token: sealText(secrets, tokenPurpose(row.id, row.base_url), server.token) });
    return fromRow((yield* one(byId, row.id)) ?? row);
  }

  function* update(id: number, fields: ServerFields): Transaction<RemoteServerRow | null> {
    const before = yield* one(byId, id);
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
      reports: fields.reports === undefined ? before.reports : fields.reports ? 1 : 0,
    };
    const same = baseUrl === before.base_url && fields.token === undefined && fields.certificate === undefined;
    yield* run(change, same ? after : { ...after, ...untested });
    return fromRow((yield* one(byId, id)) ?? after);
  }

  const sourceOf = (row: Row): ServerAccess => ({
    baseUrl: row.base_url,
    token: row.token && openText(secrets, tokenPurpose(row.id, row.base_url), row.token),
    certificate: row.certificate?.toString('hex') ?? null,
  });

  function* found(id: number, tested: ServerAccess, finding: ServerFinding): Transaction<RemoteServerRow | null> {
    const row = yield* one(byId, id);
    if (!row) return null;
    const now = sourceOf(row);
    const unchanged =
      now.baseUrl === tested.baseUrl && now.token === tested.token && now.certificate === tested.certificate;
    if (unchanged)
      yield* run(change, {
        ...row,
        ...finding,
        lists: finding.lists === null ? null : finding.lists ? 1 : 0,
        checked_at: Date.now(),
      });
    return fromRow((yield* one(byId, id)) ?? row);
  }

  return {
    all: async () => (await database.all(all)).map(fromRow),
    byId: async (id) => fromRowOrNull(await database.one(byId, id)),
    byBaseUrl: async (baseUrl) => fromRowOrNull(await database.one(byBaseUrl, baseUrl)),
    source: async (id) => {
      const row = await database.one(byId, id);
      return row ? sourceOf(row) : null;
    },
    create: async (server) => database.transaction(() => create(server)),
    update: async (id, fields) => database.transaction(() => update(id, fields)),
    found: async (id, tested, finding) => database.transaction(() => found(id, tested, finding)),
    remove: async (id) => (await database.run(remove, id)) > 0,
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

function fromRow({ token, certificate, lists, reports, ...row }: Row): RemoteServerRow {
  return {
    ...row,
    has_token: token !== null,
    certificate: certificate?.toString('hex') ?? null,
    lists: lists === null ? null : lists === 1,
    reports: reports === 1,
  };
}

function fromRowOrNull(row: Row | null): RemoteServerRow | null {
  return row ? fromRow(row) : null;
}

/** A token is sealed for its server and origin. */
function tokenPurpose(id: number, baseUrl: string): string {
  return `remote-server:${id}:${new URL(baseUrl).origin}`;
}

function bytesOf(certificate: string | null): Buffer | null {
  return certificate === null ? null : Buffer.from(certificate, 'hex');
}
