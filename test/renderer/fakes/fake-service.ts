import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Session } from '../../../src-main/service/contract/session.ts';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { fakeAccounts } from './fake-accounts.ts';
import { fakeApplications } from './fake-applications.ts';
import { fakeCaptures } from './fake-captures.ts';
import { fakeFleet } from './fake-fleet.ts';
import { fakeErrors } from './fake-errors.ts';
import { fakeFetches } from './fake-fetches.ts';
import { fakeNotifications } from './fake-notifications.ts';
import { fakeHappenings } from './fake-happenings.ts';
import { fakeServers } from './fake-servers.ts';
import type { FakeOptions, FakeService } from './fake-options.ts';
import { fakeTokens } from './fake-tokens.ts';
import { sendRendererFile } from './send-renderer-file.ts';
import { refused } from './fake-answer.ts';
import { alice } from './fake-data.ts';
import { fakeJobs } from './fake-jobs.ts';
import { fakeLocal } from './fake-local.ts';
import { fakeMeasurements } from './fake-measurements.ts';

type Body = Record<string, string | undefined>;

/**
 * The part of the API that the screens need, in memory, for states that a real service reaches only
 * with ten thousand measurements or a broken disk. It proves nothing about the service.
 */
export async function startFakeService(options: FakeOptions): Promise<FakeService> {
  const tokens = fakeTokens(options.tokens ?? true);
  const applications = fakeApplications(options.applications ?? true);
  let unconfirmed = options.unconfirmed ?? false;
  let needsSetup = options.needsSetup ?? false;
  const accounts = fakeAccounts(options.accounts ?? {});
  const tracking = fakeErrors(options.tracking ?? {}, (project) => emit('changed', { topic: 'errors', id: project }));
  const fetches = fakeFetches(options.fetches ?? {}, () => emit('changed', { topic: 'fetches' }));
  const servers = fakeServers(options.servers ?? {});
  const captures = fakeCaptures(options.captures ?? {});
  const notifications = fakeNotifications(options.notifications ?? {});
  const happenings = fakeHappenings(options.happenings ?? {}, () => emit('changed', { topic: 'happenings' }));
  const fleet = fakeFleet(options.fleet ?? {});
  const listeners = new Set<ServerResponse>();
  const writes: string[] = [];
  const reads: string[] = [];

  const emit = (event: string, data: unknown): void => {
    for (const listener of listeners) listener.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const jobs = fakeJobs((job) => emit('job', job));
  const measurements = fakeMeasurements({
    count: options.measurements ?? 0,
    removed: options.removed ?? 0,
    files: options.files ?? null,
    emit,
    addJob: jobs.add,
  });
  const local = fakeLocal(options, measurements, jobs.add);
  const session = (): Session => ({
    user: needsSetup || options.signedIn === false ? null : { ...alice, is_admin: options.accounts?.admin ?? true },
    door: options.door ?? 'browser',
    needs_setup: needsSetup,
    suggested_username: 'alice',
    csrf_token: options.door === 'window' ? null : 'csrf-of-the-fake',
  });
  function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    response.writeHead(status, {
      'content-type': status >= 400 ? 'application/problem+json' : 'application/json',
      'x-request-id': 'req-7f3a91c2',
      ...headers,
    });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }
  const problem = (response: ServerResponse, ...said: Parameters<typeof refused>): void => {
    const { status, body } = refused(...said);
    send(response, status, body);
  };

  async function api(request: IncomingMessage, response: ServerResponse, url: URL, body: Body): Promise<void> {
    const route = url.pathname.slice('/api/v4/'.length);
    const method = request.method ?? 'GET';
    if (method === 'GET') reads.push(`${route}${url.search}`);
    else writes.push(`${method} ${route} ${JSON.stringify(body)}`);
    if (options.failing !== undefined && route.startsWith(options.failing)) {
      return problem(
        response,
        500,
        'Internal Server Error',
        'The disk of the data directory answers with errors. Check it, then start Benchport again.',
      );
    }
    if (
      method !== 'GET' &&
      options.door !== 'window' &&
      route !== 'setup' &&
      request.headers['x-csrf-token'] !== 'csrf-of-the-fake'
    ) {
      return problem(response, 403, 'Forbidden', 'The X-CSRF-Token header is missing or old. Load the page again.');
    }
    const ofHappenings = happenings.answer(method, route, url.searchParams, body);
    if (ofHappenings !== null) return send(response, ofHappenings.status, ofHappenings.body);
    const ofAccounts = accounts(method, route, url.searchParams, body);
    if (ofAccounts !== null) return send(response, ofAccounts.status, ofAccounts.body, ofAccounts.headers);
    const [first = '', id = '', ...rest] = route.split('/').map(decodeURIComponent);
    const ofNotifications = notifications(method, [first, id, ...rest], url.searchParams, body);
    if (ofNotifications !== null) return send(response, ofNotifications.status, ofNotifications.body);
    if (unconfirmed && method === 'POST' && ['user', 'personal_access_tokens'].includes(first)) {
      return problem(response, 403, 'Forbidden', 'Confirm this with your password.', 'confirmation-needed');
    }
    const ofErrors = tracking.answer(method, [first, id, ...rest], url.searchParams, body);
    if (ofErrors !== null) return send(response, ofErrors.status, ofErrors.body);
    const ofFleet = first === 'fleet' ? fleet(method, [id, ...rest], url.searchParams, body) : null;
    if (ofFleet !== null) return send(response, ofFleet.status, ofFleet.body, ofFleet.headers);
    if (first === 'local') {
      const ofWindow =
        fetches.answer(method, [id, ...rest], url.searchParams, body) ??
        servers(method, [id, ...rest], url.searchParams, body) ??
        captures(method, [id, ...rest], url.searchParams, body);
      if (ofWindow !== null) return send(response, ofWindow.status, ofWindow.body);
    }
    if (first === 'user' && id.endsWith('applications')) {
      const answered = applications(method, [id, ...rest], body, url.searchParams.get('all') === 'true');
      return answered === null
        ? problem(response, 404, 'Not found', 'There is no such route.')
        : send(response, answered.status, answered.body);
    }
    switch (`${method} ${first}`) {
      case 'POST session':
        if (body['password'] !== 'correct horse battery')
          return problem(response, 403, 'Forbidden', 'This password is wrong.', 'wrong-password');
        unconfirmed = false;
        return send(response, 204, undefined);
      case 'GET session':
        return send(response, 200, session());
      case 'POST setup':
        needsSetup = false;
        return send(response, 201, session());
      case 'GET backups':
        return send(response, 200, local.backups());
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
          clock_ahead_days: options.clockAheadDays ?? 0,
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
      case 'POST personal_access_tokens':
      case 'POST user':
      case 'DELETE personal_access_tokens': {
        const answered = tokens(method, first === 'user' ? null : Number(id), body);
        return send(response, answered.status, answered.body, answered.headers);
      }
      case 'GET measurements':
      case 'PATCH measurements':
      case 'DELETE measurements':
      case 'POST measurements': {
        const answered = measurements.answer(method, id, rest.join('/'), url.searchParams, body);
        if (answered.text === undefined) return send(response, answered.status, answered.body, answered.headers);
        response.writeHead(answered.status, { 'content-type': 'text/plain' }).end(answered.text);
        return;
      }
      case 'GET removed_measurements':
      case 'POST removed_measurements':
      case 'DELETE removed_measurements': {
        const answered = measurements.removed.answer(method, id, url.searchParams);
        return send(response, answered.status, answered.body, answered.headers);
      }
      case 'GET jobs':
      case 'POST jobs': {
        const answered = jobs.answer(id, url.searchParams.get('state'), body['action']);
        return send(response, answered.status, answered.body);
      }
      case 'GET local':
      case 'PUT local':
      case 'POST local': {
        const answered = local.answer(method, [id, ...rest].join('/'), body);
        return send(response, answered.status, answered.body);
      }
      default:
        return problem(response, 404, 'Not found', 'There is no such route.');
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Body);
    await (url.pathname.startsWith('/api/v4/')
      ? api(request, response, url, body)
      : sendRendererFile(response, options.rendererDir, url.pathname));
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
    happen: happenings.add,
    emit: (event, data) => {
      if (event === 'job') jobs.put(data as Job);
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
