import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Session } from '../../src-main/service/contract/accounts.ts';
import type { BackupState } from '../../src-main/service/contract/backups.ts';
import type { Inspection, Job } from '../../src-main/service/contract/jobs.ts';
import type { Grant, MeasurementSummary } from '../../src-main/service/contract/measurements.ts';
import { fakeAccounts, type FakeAccountOptions } from './fake-accounts.ts';
import { fakeApplications } from './fake-applications.ts';
import { fakeErrors, type FakeErrorOptions } from './fake-errors.ts';
import { fakeFetches, type FakeFetchOptions, type FakeFetches } from './fake-fetches.ts';
import { fakeServers, type FakeServerOptions } from './fake-servers.ts';
import { alice, filesOf, manyMeasurements, someTokens } from './fake-data.ts';

export interface FakeOptions {
  readonly rendererDir: string;
  readonly measurements?: number;
  readonly tokens?: boolean;
  readonly applications?: boolean;
  /** Lasting access needs the password once more, which is `correct horse battery`. */
  readonly unconfirmed?: boolean;
  readonly needsSetup?: boolean;
  readonly door?: 'window' | 'browser';
  readonly signedIn?: boolean;
  /** Requests whose path starts like this fail with 500. */
  readonly failing?: string;
  readonly accounts?: FakeAccountOptions;
  readonly tracking?: FakeErrorOptions;
  readonly fetches?: FakeFetchOptions;
  readonly servers?: FakeServerOptions;
  readonly diskLow?: boolean;
  readonly lastEnd?: 'whole' | null;
  /** Backups as the service tells of them; none when it is not said. */
  readonly backups?: Partial<BackupState>;
  readonly badBackup?: boolean;
}

export interface FakeService {
  readonly url: string;
  /** Requests other than reads, as `METHOD path body`. */
  readonly writes: string[];
  /** Reads, as `path?query`. */
  readonly reads: string[];
  /** Ends all streams of events, as a restart does. */
  dropListeners(): void;
  emit(event: 'changed' | 'job' | 'rates' | 'new-error' | 'fetch' | 'incoming', data: unknown): void;
  readonly fetches: FakeFetches;
  /** One more error, as an event of an SDK makes it. */
  addError(title: string): void;
  /** Refuses connections until it comes back, as a service that has crashed does. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const usualIgnored: readonly string[] = ['.DS_Store', '._*', 'Thumbs.db', '*.tmp'];

type Body = Record<string, string | undefined>;

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html; charset=utf-8' };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'";

/**
 * Enough of the service's API, in memory, to see the screens in every state, also in those that a real service reaches only with ten thousand
 * measurements or a broken disk. It proves nothing about the service.
 */
export async function startFakeService(options: FakeOptions): Promise<FakeService> {
  let measurements: MeasurementSummary[] = manyMeasurements(options.measurements ?? 0);
  let tokens = options.tokens === false ? [] : someTokens();
  const applications = fakeApplications(options.applications ?? true);
  let unconfirmed = options.unconfirmed ?? false;
  let needsSetup = options.needsSetup ?? false;
  const accounts = fakeAccounts(options.accounts ?? {});
  const tracking = fakeErrors(options.tracking ?? {}, (project) => emit('changed', { topic: 'errors', id: project }));
  const fetches = fakeFetches(options.fetches ?? {}, () => emit('changed', { topic: 'fetches' }));
  const servers = fakeServers(options.servers ?? {});
  let grants: Grant[] = [
    { id: 1, subject: 'user', user: 'bob', project: null, until: new Date(Date.now() + 5 * 86_400_000).toISOString(), created_at: alice.created_at },
    { id: 2, subject: 'project', user: null, project: 'beamtime/2026-3', until: null, created_at: alice.created_at },
  ];
  let ignored = usualIgnored;
  let backups: BackupState = { last: null, failed: null, schedule: null, moved: null, move_failed: null, restored: null, ...options.backups };
  const jobs = new Map<number, Job>();
  const listeners = new Set<ServerResponse>();
  const writes: string[] = [];
  const reads: string[] = [];
  let lastJob = 0;

  const emit = (event: string, data: unknown): void => {
    for (const listener of listeners) listener.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const addJob = (job: Partial<Job> & Pick<Job, 'kind' | 'measurement_id'>): Job => {
    lastJob += 1;
    const whole: Job = {
      id: lastJob,
      state: 'running',
      files_done: 412,
      files_total: 1204,
      bytes_done: 13_000_000_000,
      bytes_total: 41_017_344_000,
      bytes_per_second: 327_155_712,
      message: null,
      result: null,
      created_at: new Date().toISOString(),
      ended_at: null,
      ...job,
    };
    jobs.set(whole.id, whole);
    emit('job', whole);
    return whole;
  };
  const session = (): Session => ({
    user: needsSetup || options.signedIn === false ? null : { ...alice, is_admin: options.accounts?.admin ?? true },
    door: options.door ?? 'browser',
    needs_setup: needsSetup,
    suggested_username: 'alice',
    csrf_token: options.door === 'window' ? null : 'csrf-of-the-fake',
  });
  const detailOf = (measurement: MeasurementSummary) => ({
    ...measurement,
    archive_bytes: measurement.total_bytes + 22,
    download_url: `http://127.0.0.1:7420/measurements/${measurement.id}`,
    manifest_url: `http://127.0.0.1:7420/measurements/${measurement.id}/files/`,
    may_manage: true,
    root: measurement.storage === 'reference' ? `/data/instrument/2026/11/${measurement.id}` : null,
  });

  function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    response.writeHead(status, { 'content-type': status >= 400 ? 'application/problem+json' : 'application/json', 'x-request-id': 'req-7f3a91c2', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }
  const problem = (response: ServerResponse, status: number, title: string, detail: string, type?: string): void =>
    send(response, status, { type: type === undefined ? 'about:blank' : `urn:benchport:problem:${type}`, title, status, detail, request_id: 'req-7f3a91c2' });

  function list(response: ServerResponse, query: URLSearchParams): void {
    const search = (query.get('search') ?? '').toLowerCase();
    const sort = (query.get('sort') ?? 'created_at') as keyof MeasurementSummary;
    const sign = query.get('order') === 'asc' ? 1 : -1;
    const found = measurements
      .filter((one) => one.id.includes(search) || one.title.toLowerCase().includes(search))
      .toSorted((one, other) => {
        const [left, right] = [one[sort], other[sort]];
        return sign * (typeof left === 'number' && typeof right === 'number' ? left - right : JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
      });
    const page = Number(query.get('page') ?? 1);
    const size = Number(query.get('per_page') ?? 20);
    send(response, 200, found.slice((page - 1) * size, page * size), { 'x-total': String(found.length) });
  }

  function files(response: ServerResponse, measurement: MeasurementSummary, query: URLSearchParams): void {
    const after = Number(query.get('after') ?? -1);
    const limit = Number(query.get('limit') ?? 100);
    const all = filesOf(measurement).filter((file) => file.index > after && (query.get('problems') !== 'true' || file.state !== 'ok'));
    const page = all.slice(0, limit);
    send(response, 200, { files: page, next: all.length > limit ? (page.at(-1)?.index ?? null) : null });
  }

  function measurementRoute(response: ServerResponse, method: string, id: string, rest: string, query: URLSearchParams, body: Body): void {
    const measurement = measurements.find((one) => one.id === id);
    if (measurement === undefined) return problem(response, 404, 'Not found', `There is no measurement "${id}", or you may not read it.`);
    switch (`${method} ${rest}`) {
      case 'GET ':
        return send(response, 200, detailOf(measurement));
      case 'PATCH ':
        measurements = measurements.map((one) => (one.id === id ? { ...one, title: String(body['title']) } : one));
        emit('changed', { topic: 'measurements', id });
        return measurementRoute(response, 'GET', id, '', query, body);
      case 'DELETE ':
        measurements = measurements.filter((one) => one.id !== id);
        emit('changed', { topic: 'measurements', id });
        return send(response, 204, undefined);
      case 'GET files':
        return files(response, measurement, query);
      case 'GET checksums':
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.end(
          filesOf(measurement)
            .map((file) => `${file.sha256}  ${file.path}\n`)
            .join(''),
        );
        return;
      case 'GET grants':
        return send(response, 200, grants);
      case 'POST grants': {
        const grant: Grant = {
          id: grants.length + 10,
          subject: body['user'] === undefined ? (body['project'] === undefined ? 'everyone' : 'project') : 'user',
          user: body['user'] ?? null,
          project: body['project'] ?? null,
          until: body['until'] ?? null,
          created_at: new Date().toISOString(),
        };
        grants = [...grants, grant];
        return send(response, 201, grant);
      }
      case 'GET transfers': {
        const page = Number(query.get('page') ?? 1);
        const records = Array.from({ length: 50 }, (_, position) => ({
          id: position + page * 100,
          started_at: new Date(Date.now() - (position + page * 50) * 1_900_000).toISOString(),
          ended_at: position === 0 && page === 1 ? null : new Date().toISOString(),
          user: position % 3 === 0 ? 'alice' : 'bob',
          token: position % 3 === 0 ? null : 'ms-reader',
          application: null,
          address: '192.168.4.17',
          what: (['archive', 'file', 'manifest'] as const)[position % 3],
          file_index: position % 3 === 1 ? position * 31 : null,
          path: position % 3 === 1 ? `raw/detector ${position % 4}/frame-${String(position * 31).padStart(5, '0')}.dat` : null,
          range: position % 6 === 1 ? 'bytes=1048576-2097151' : null,
          status: position % 11 === 5 ? 409 : position % 6 === 1 ? 206 : 200,
          bytes_sent: position * 91_312_211,
          outcome: position === 0 ? null : position % 11 === 5 ? 'file-changed' : position % 7 === 4 ? 'client-closed' : 'complete',
          user_agent: 'curl/8.14.1',
        }));
        return send(response, 200, records, { 'x-total': '120' });
      }
      case 'POST verify':
        return send(response, 202, addJob({ kind: 'verify', measurement_id: id }));
      default:
        if (method === 'DELETE' && rest.startsWith('grants/')) {
          grants = grants.filter((grant) => grant.id !== Number(rest.slice(7)));
          return send(response, 204, undefined);
        }
        return problem(response, 404, 'Not found', 'There is no such route.');
    }
  }

  function localRoute(response: ServerResponse, rest: string, body: Body): void {
    if (rest === 'inspect') {
      const dropped = String(body['path']);
      const refused = dropped.includes('broken');
      const inspection: Inspection = {
        path: dropped,
        kind: dropped.endsWith('.zip') ? 'zip' : 'folder',
        suggested_id: path.basename(dropped, '.zip'),
        suggested_title: path.basename(dropped, '.zip').replaceAll('-', ' '),
        file_count: 1204,
        total_bytes: 41_017_344_000,
        ignored: ['.DS_Store', 'raw/Thumbs.db'],
        warnings: refused ? [] : ['raw/Frame 1.dat: a colon or a trailing space troubles Windows'],
        refusals: refused ? ['raw/link.dat is a link that leads out of the folder', 'raw/A.dat and raw/a.dat differ only in case'] : [],
      };
      return send(response, 200, inspection);
    }
    if (rest === 'registrations' || rest === 'sample') {
      const id = body['id'] ?? 'sample-measurement';
      if (measurements.some((one) => one.id === id)) return problem(response, 409, 'Id in use', `A measurement "${id}" exists already. Choose another id.`);
      const template = manyMeasurements(1)[0];
      if (template !== undefined)
        measurements = [{ ...template, id, title: body['title'] ?? id, state: 'registering', created_at: new Date().toISOString() }, ...measurements];
      emit('changed', { topic: 'measurements' });
      return send(response, 202, addJob({ kind: 'register', measurement_id: id }));
    }
    if (rest === 'backups') return send(response, 202, addJob({ kind: 'backup', measurement_id: '', files_done: 0, files_total: 0 }));
    if (rest === 'backups/inspect') {
      if (options.badBackup === true) return problem(response, 422, 'Unprocessable', `${String(body['file'])} is not a backup of Benchport.`, 'bad-backup');
      return send(response, 200, {
        file: body['file'],
        made_at: '2026-11-20T03:15:00.000Z',
        program_version: '0.1.0',
        bytes: 41_017_344_000,
        measurements: 118,
        library_files: 20_412,
        users: 9,
      });
    }
    if (rest === 'data/move') return send(response, 202, backups);
    if (rest === 'backups/restore') return send(response, 202, addJob({ kind: 'restore', measurement_id: '', files_done: 0, files_total: 0 }));
    if (rest === 'backups/schedule') {
      const wanted = body['schedule'] as unknown as BackupState['schedule'];
      backups = { ...backups, schedule: wanted && { ...wanted, next_at: new Date(Date.now() + 86_400_000).toISOString() } };
      return send(response, 200, backups);
    }
    const [, id = '', what] = rest.split('/');
    if (what === 'exports') return send(response, 202, addJob({ kind: 'export', measurement_id: id }));
    if (what === 'stage') return send(response, 200, { path: `/data/instrument/${id}`, job: null });
    return problem(response, 404, 'Not found', 'There is no such route.');
  }

  async function api(request: IncomingMessage, response: ServerResponse, url: URL, body: Body): Promise<void> {
    const route = url.pathname.slice('/api/v4/'.length);
    const method = request.method ?? 'GET';
    if (method === 'GET') reads.push(`${route}${url.search}`);
    else writes.push(`${method} ${route} ${JSON.stringify(body)}`);
    if (options.failing !== undefined && route.startsWith(options.failing)) {
      return problem(response, 500, 'The database cannot be read', 'The disk of the data directory answers with errors. Check it, then start Benchport again.');
    }
    if (method !== 'GET' && options.door !== 'window' && route !== 'setup' && request.headers['x-csrf-token'] !== 'csrf-of-the-fake') {
      return problem(response, 403, 'Forbidden', 'The X-CSRF-Token header is missing or old. Load the page again.');
    }
    const ofAccounts = accounts(method, route, url.searchParams, body);
    if (ofAccounts !== null) return send(response, ofAccounts.status, ofAccounts.body, ofAccounts.headers);
    const [first = '', id = '', ...rest] = route.split('/').map(decodeURIComponent);
    if (unconfirmed && method === 'POST' && ['user', 'personal_access_tokens'].includes(first)) {
      return problem(response, 403, 'Forbidden', 'Confirm this with your password.', 'confirmation-needed');
    }
    const ofErrors = tracking.answer(method, [first, id, ...rest], url.searchParams, body);
    if (ofErrors !== null) return send(response, ofErrors.status, ofErrors.body);
    if (first === 'local') {
      const ofWindow = fetches.answer(method, [id, ...rest], url.searchParams, body) ?? servers(method, [id, ...rest], url.searchParams, body);
      if (ofWindow !== null) return send(response, ofWindow.status, ofWindow.body);
    }
    if (first === 'user' && id.endsWith('applications')) {
      const answered = applications(method, [id, ...rest], body, url.searchParams.get('all') === 'true');
      return answered === null ? problem(response, 404, 'Not found', 'There is no such route.') : send(response, answered.status, answered.body);
    }
    switch (`${method} ${first}`) {
      case 'POST session':
        if (body['password'] !== 'correct horse battery') return problem(response, 403, 'Forbidden', 'This is not your password.', 'wrong-password');
        unconfirmed = false;
        return send(response, 204, undefined);
      case 'GET session':
        return send(response, 200, session());
      case 'POST setup':
        needsSetup = false;
        return send(response, 201, session());
      case 'GET backups':
        return send(response, 200, backups);
      case 'GET service':
        return send(response, 200, {
          version: '0.1.0',
          base_url: 'http://127.0.0.1:7420',
          shared: false,
          shared_url: null,
          public_key_pin: null,
          data_dir: options.door === 'window' ? '/home/alice/.local/share/Benchport' : null,
          free_bytes: options.diskLow === true ? 120_316_860 : 412_316_860_416,
          disk_low: options.diskLow ?? false,
          last_end: options.lastEnd ?? null,
          sample_registered: false,
        });
      case 'GET events':
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
        response.write(': listening\n\n');
        listeners.add(response);
        response.on('close', () => listeners.delete(response));
        return;
      case 'GET users':
        return send(response, 200, [
          { id: 1, username: 'alice', name: 'Alice' },
          { id: 2, username: 'bob', name: 'Bob' },
        ]);
      case 'GET projects':
        return send(response, 200, [{ id: 1, path: 'beamtime/2026-3', name: 'Beam time 2026-3' }]);
      case 'GET personal_access_tokens':
        return send(response, 200, tokens, { 'x-total': String(tokens.length) });
      case 'POST personal_access_tokens':
      case 'POST user': {
        const rotated = first === 'user' ? undefined : tokens.find((token) => token.id === Number(id));
        const template = rotated ?? someTokens()[0];
        if (template === undefined) return;
        if (rotated !== undefined) tokens = tokens.map((token) => (token === rotated ? { ...token, revoked: true, active: false } : token));
        const token = {
          ...template,
          id: 90 + tokens.length,
          name: body['name'] ?? template.name,
          description: rotated?.description ?? '',
          scopes: (body['scopes'] as unknown as string[] | undefined) ?? template.scopes,
          expires_at: body['expires_at'] ?? null,
          last_used_at: null,
          last_used_ips: [],
          created_at: new Date().toISOString(),
        };
        tokens = [...tokens, token];
        return send(response, rotated === undefined ? 201 : 200, { ...token, token: 'bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae0uK7iX' });
      }
      case 'DELETE personal_access_tokens':
        tokens = tokens.map((token) => (token.id === Number(id) ? { ...token, revoked: true, active: false } : token));
        return send(response, 204, undefined);
      case 'GET measurements':
        return id === '' ? list(response, url.searchParams) : measurementRoute(response, method, id, rest.join('/'), url.searchParams, body);
      case 'PATCH measurements':
      case 'DELETE measurements':
      case 'POST measurements':
        return measurementRoute(response, method, id, rest.join('/'), url.searchParams, body);
      case 'GET jobs':
        return send(
          response,
          200,
          [...jobs.values()].filter((job) => (job.ended_at === null) === (url.searchParams.get('state') === 'active')),
        );
      case 'POST jobs': {
        const job = jobs.get(Number(id));
        if (job === undefined) return problem(response, 404, 'Not found', 'There is no such job.');
        if (body['action'] === 'retry') {
          const again: Job = { ...job, id: Math.max(...jobs.keys()) + 1, state: 'running', message: null, ended_at: null };
          jobs.delete(job.id);
          jobs.set(again.id, again);
          emit('job', again);
          return send(response, 200, again);
        }
        const state = body['action'] === 'pause' ? 'paused' : body['action'] === 'resume' ? 'running' : 'cancelled';
        const next: Job = { ...job, state, ended_at: state === 'cancelled' ? new Date().toISOString() : null };
        jobs.set(job.id, next);
        emit('job', next);
        return send(response, 200, next);
      }
      case 'GET local':
        return send(response, 200, { patterns: ignored, usual: usualIgnored });
      case 'PUT local':
        if (id === 'backups') return localRoute(response, [id, ...rest].join('/'), body);
        ignored = body['patterns'] as unknown as string[];
        return send(response, 200, { patterns: ignored, usual: usualIgnored });
      case 'POST local':
        return localRoute(response, [id, ...rest].join('/'), body);
      default:
        return problem(response, 404, 'Not found', 'There is no such route.');
    }
  }

  async function sendFile(response: ServerResponse, pathname: string): Promise<void> {
    const file = pathname.startsWith('/assets/') ? path.join(options.rendererDir, path.normalize(pathname)) : path.join(options.rendererDir, 'index.html');
    try {
      const content = await readFile(file);
      response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream', 'content-security-policy': policy });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Body);
    await (url.pathname.startsWith('/api/v4/') ? api(request, response, url, body) : sendFile(response, url.pathname));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const goAway = async (): Promise<void> => {
    for (const listener of listeners) listener.destroy();
    server.closeAllConnections();
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  return {
    url: `http://127.0.0.1:${port}`,
    writes,
    reads,
    dropListeners: () => {
      for (const listener of listeners) listener.end();
    },
    addError: tracking.add,
    fetches,
    emit: (event, data) => {
      if (event === 'job') jobs.set((data as Job).id, data as Job);
      emit(event, data);
    },
    goAway,
    comeBack: async () =>
      new Promise<void>((resolve) => {
        server.listen(port, '127.0.0.1', resolve);
      }),
    close: goAway,
  };
}
