import type {
  RemoteFile,
  RemoteMeasurement,
  RemoteServer,
  RemoteServerChange,
} from '../../../src-main/service/contract/servers.ts';
import type { FakeAnswer } from './fake-answer.ts';

export interface FakeServerOptions {
  readonly servers?: boolean;
  /** Servers announced on the network. */
  readonly found?: boolean;
  readonly measurements?: number;
}

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const fingerprint = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const perPage = 100;

function serverOf(id: number, more: Partial<RemoteServer>): RemoteServer {
  return {
    id,
    name: 'bench-3',
    base_url: 'https://bench-3.lab.example',
    has_token: true,
    certificate_sha256: null,
    speed_limit: null,
    connections: null,
    reports: true,
    reports_refused: null,
    state: 'ok',
    problem: null,
    message: null,
    lists: true,
    username: 'alice',
    checked_at: ago(12),
    created_at: ago(9000),
    ...more,
  };
}

/** A working server, and one for each problem that the screen offers a remedy for. */
const sampleServers: readonly RemoteServer[] = [
  serverOf(1, {}),
  serverOf(2, {
    name: 'Instrument hall',
    base_url: 'https://instruments.example/data',
    lists: false,
    username: null,
    speed_limit: 10 * 1024 ** 2,
    reports_refused:
      'instruments.example answered with the status 403. The token may not write measurements; it needs write_measurement.',
  }),
  serverOf(3, {
    name: 'bench-5',
    base_url: 'https://bench-5.lab.example',
    state: 'failed',
    problem: 'token-refused',
    message: 'The token expired on 3 March. Create a new one on the server and give it here.',
  }),
  serverOf(4, {
    name: 'bench-7',
    base_url: 'https://192.168.4.17:7420',
    state: 'failed',
    problem: 'certificate',
    message: 'No authority that this machine knows has signed the certificate.',
    has_token: false,
  }),
  serverOf(5, {
    name: 'old-archive',
    base_url: 'http://archive.lab.example',
    state: 'failed',
    problem: 'name-unknown',
    message: 'The name archive.lab.example is not known. Look at the address, or connect to the network of the lab.',
  }),
];

function measurementsOf(count: number): RemoteMeasurement[] {
  return Array.from({ length: count }, (_, place) => ({
    id: `qmr-2026-${String(count - place).padStart(5, '0')}`,
    title: `Quantum memory readout ${count - place}`,
    state: 'available',
    file_count: 4 + ((place * 7919) % 1700),
    total_bytes: 9000 + ((place * 104_729_777) % 60_000_000_000),
    created_at: ago(12 + place * 41),
  }));
}

const files: RemoteFile[] = Array.from({ length: 1204 }, (_, index) => ({
  index,
  path: index === 3 ? '../../outside.dat' : `raw/detector ${index % 3}/frame-${String(index).padStart(5, '0')}.dat`,
  length: 1_048_576,
  refusal: index === 3 ? 'leads out of the folder' : null,
}));

/** The routes of other servers, in memory. */
export function fakeServers(options: FakeServerOptions) {
  let servers = options.servers === false ? [] : [...sampleServers];
  const measurements = measurementsOf(options.measurements ?? 30);
  /** Servers whose last token begins with `wrong`. */
  const refusing = new Set<number>();
  const test = (server: RemoteServer): RemoteServer => {
    const needsTrust =
      server.base_url.includes('192.168.4.17') &&
      server.base_url.startsWith('https:') &&
      server.certificate_sha256 === null;
    const needsToken = !server.has_token;
    const problem = needsTrust
      ? ('certificate' as const)
      : needsToken
        ? ('token-missing' as const)
        : refusing.has(server.id)
          ? ('token-refused' as const)
          : null;
    const messages = {
      certificate: 'No authority that this machine knows has signed the certificate.',
      'token-missing': 'This server wants a token.',
      'token-refused': `The token is unknown to ${server.base_url}.`,
    };
    return {
      ...server,
      state: problem === null ? 'ok' : 'failed',
      problem,
      message: problem === null ? null : messages[problem],
      checked_at: new Date().toISOString(),
    };
  };
  const put = (next: RemoteServer): FakeAnswer => {
    servers = servers.map((one) => (one.id === next.id ? next : one));
    return { status: 200, body: next };
  };

  return (
    method: string,
    [what = '', id = '', ...rest]: readonly string[],
    query: URLSearchParams,
    body: unknown,
  ): FakeAnswer | null => {
    if (what === 'discovered-servers') {
      return {
        status: 200,
        body:
          options.found === true
            ? [
                {
                  name: 'Benchport on bench-8',
                  base_url: 'https://192.168.4.20:7420',
                  version: '0.1.0',
                  certificate_sha256: fingerprint,
                  added: false,
                },
                {
                  name: 'Benchport on bench-9',
                  base_url: 'http://192.168.4.21:7420',
                  version: '0.1.0',
                  certificate_sha256: null,
                  added: false,
                },
              ]
            : [],
      };
    }
    if (what !== 'servers') return null;
    if (id === '' && method === 'GET') return { status: 200, body: servers };
    if (id === '' && method === 'POST') {
      const {
        base_url: address = '',
        name,
        token,
        certificate_sha256: certificate = null,
        only_if_works: tested = false,
      } = body as {
        base_url?: string;
        name?: string;
        token?: string;
        certificate_sha256?: string;
        only_if_works?: boolean;
      };
      if (tested && token?.startsWith('wrong') === true) {
        const detail = `The token is unknown to ${address}. Enter another one.`;
        return {
          status: 422,
          body: {
            type: 'urn:benchport:problem:server-does-not-work',
            title: 'Unprocessable Content',
            status: 422,
            detail,
          },
        };
      }
      const added = serverOf(servers.length + 20, {
        name: name ?? new URL(address).host,
        base_url: address,
        has_token: token !== undefined,
        certificate_sha256: certificate,
        state: 'untested',
        checked_at: null,
      });
      servers = [...servers, added];
      if (token?.startsWith('wrong') === true) refusing.add(added.id);
      return tested ? { ...put(test(added)), status: 201 } : { status: 201, body: added };
    }
    if (id === 'certificate')
      return {
        status: 200,
        body: { sha256: fingerprint, subject: 'CN=bench-7', valid_to: '2027-11-21T00:00:00.000Z' },
      };
    const server = servers.find((one) => String(one.id) === id);
    if (server === undefined)
      return {
        status: 404,
        body: { type: 'about:blank', title: 'Not found', status: 404, detail: 'There is no such server.' },
      };
    if (rest[0] === 'test') return put(test(server));
    if (rest[0] === 'measurements' && rest.length === 1) {
      const search = (query.get('search') ?? '').toLowerCase();
      const found = measurements.filter((one) => `${one.id} ${one.title}`.toLowerCase().includes(search));
      const page = Number(query.get('page') ?? 1);
      return {
        status: 200,
        body: { items: found.slice((page - 1) * perPage, page * perPage), total: found.length, per_page: perPage },
      };
    }
    if (rest[0] === 'measurements' && rest[2] === 'files') {
      if (rest[1] === 'nothing')
        return {
          status: 404,
          body: {
            type: 'about:blank',
            title: 'Not found',
            status: 404,
            detail: 'The server has no measurement "nothing", or the token may not read it.',
          },
        };
      const found = files.filter(({ path }) => path.includes(query.get('search') ?? ''));
      const offset = Number(query.get('offset') ?? 0);
      return {
        status: 200,
        body: {
          items: found.slice(offset, offset + Number(query.get('limit') ?? 200)),
          total: found.length,
          file_count: files.length,
          total_bytes: files.length * 1_048_576,
        },
      };
    }
    if (method === 'DELETE') {
      servers = servers.filter((one) => one !== server);
      return { status: 204 };
    }
    if (method === 'PATCH') {
      const { token, ...change } = body as RemoteServerChange;
      if (token?.startsWith('wrong') === true) refusing.add(server.id);
      else if (token !== undefined) refusing.delete(server.id);
      return put({ ...server, ...change, ...(token === undefined ? {} : { has_token: token !== null }) });
    }
    return { status: 200, body: server };
  };
}
