import type { RemoteServer, RemoteServerChange } from '../../../src-main/service/contract/servers.ts';
import type { FakeAnswer } from './fake-answer.ts';
import {
  type FakeServerOptions,
  files,
  fingerprint,
  measurementsOf,
  perPage,
  sampleServers,
  serverOf,
} from './fake-server-data.ts';

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
