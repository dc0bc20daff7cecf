import { beginning, type Operations } from './operation.ts';
import type { Draw } from './random.ts';

const kinds = ['register', 'verify', 'export'] as const;
const states = ['queued', 'running', 'paused', 'done', 'failed', 'cancelled'] as const;
const actions = ['user.create', 'user.block', 'token.revoke', 'measurement.degraded', 'user%', 'user_x'];
const measurements = ['run-1', 'run-2', 'qmr'];
const outcomes = ['complete', 'client-closed', 'read-error', null] as const;
const jobId = (draw: Draw) => 1 + draw.number(60);

const jobs: Operations = {
  'jobs.create': (draw) => {
    const job = { kind: draw.one(kinds), measurementId: draw.one(measurements), userId: draw.maybe(draw.id()) };
    const parameters = { path: draw.text(), needs_room: draw.yes(), count: draw.number(9) };
    return async (of) => of.jobs.create({ ...job, parameters });
  },
  'jobs.start': (draw) => {
    const id = jobId(draw);
    return async (of) => {
      const row = await of.jobs.start(id, '1 2 x');
      // Engines order the members of an object differently.
      return row && { ...row, parameters: sorted(row.parameters) };
    };
  },
  'jobs.progress': (draw) => {
    const [id, message] = [jobId(draw), draw.maybe(draw.text())];
    const progress = {
      filesDone: draw.number(9),
      filesTotal: 9,
      bytesDone: draw.number(1e12),
      bytesTotal: 1e12,
      message,
    };
    return async (of) => of.jobs.progress(id, progress);
  },
  'jobs.end': (draw) => {
    const event = draw.one(['succeed', 'fail', 'cancel', 'pause', 'requeue'] as const);
    const [id, end] = [jobId(draw), { event, message: draw.maybe(draw.text()), result: draw.maybe(draw.text()) }];
    return async (of) => of.jobs.end(id, end);
  },
  'jobs.act': (draw) => {
    const [id, action] = [jobId(draw), draw.one(['pause', 'resume', 'cancel', 'retry'] as const)];
    return async (of) => of.jobs.act(id, action, action);
  },
  'jobs.interrupt': (draw) => {
    const id = jobId(draw);
    return async (of) => of.jobs.interrupt(id, 'stopped');
  },
  'jobs.list': (draw) => {
    const [which, user, some] = [
      draw.one(['active', 'ended', 'all'] as const),
      draw.maybe(draw.id()),
      draw.one(states),
    ];
    const measurement = draw.one(measurements);
    return async (of) => {
      const rows = [
        ...(await of.jobs.list(which, user)),
        ...(await of.jobs.inState(some, 'queued')),
        ...(await of.jobs.ofMeasurement(measurement)),
      ];
      return rows.map((row) => ({ ...row, parameters: sorted(row.parameters) }));
    };
  },
};

function sorted(parameters: string): unknown {
  return Object.entries(JSON.parse(parameters) as object).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const filterOf = (draw: Draw) => ({
  userId: draw.maybe(draw.id()),
  action: draw.one(['', '', 'user.', 'user%', ...actions]),
  from: draw.maybe(draw.near(beginning)),
  before: draw.maybe(draw.near(beginning + 3_600_000)),
});

const audit: Operations = {
  'audit.record': (draw) => {
    const event = {
      userId: draw.maybe(draw.id()),
      action: draw.one(actions),
      subject: draw.text(),
      detail: draw.text(),
    };
    return async (of) => of.audit.record({ ...event, address: '192.0.2.1' });
  },
  'auditList.page': (draw) => {
    const [filter, limit, offset] = [filterOf(draw), 1 + draw.number(9), draw.number(4)];
    return async (of) => of.auditList.page(filter, limit, offset);
  },
  'auditList.older': (draw) => {
    const [filter, limit] = [filterOf(draw), 1 + draw.number(9)];
    return async (of) => of.auditList.older(filter, null, limit);
  },
};

const transferOf = (draw: Draw, ended: boolean) => ({
  startedAt: draw.near(beginning),
  endedAt: ended ? beginning : null,
  userId: draw.id(),
  tokenId: draw.maybe(draw.id()),
  oauthTokenId: null,
  applicationId: null,
  address: draw.maybe('192.0.2.7'),
  measurementId: draw.one(measurements),
  what: draw.one(['file', 'archive', 'manifest'] as const),
  fileIndex: draw.maybe(draw.number(4)),
  range: draw.maybe('0-9'),
  status: 200,
  bytesSent: draw.number(1e9),
  outcome: ended ? draw.one(outcomes) : null,
  userAgent: draw.maybe(draw.text()),
  requests: 1 + draw.number(3),
  downloadId: null,
});

const transfers: Operations = {
  'transfers.write': (draw) => {
    const [ended, started] = [[transferOf(draw, true), transferOf(draw, true)], [transferOf(draw, false)]];
    const progress = [{ id: draw.id(), endedAt: beginning, bytesSent: draw.number(1e6), outcome: draw.one(outcomes) }];
    return async (of) => of.transfers.write({ ended, started, progress, repeated: [], downloads: [] });
  },
  'transfers.ofMeasurement': (draw) => {
    const [measurement, limit, offset] = [draw.one(measurements), 1 + draw.number(9), draw.number(3)];
    return async (of) => of.transfers.ofMeasurement(measurement, limit, offset);
  },
  'pastTransfers.page': (draw) => {
    const [search, limit, offset] = [draw.one(['', 'ali', '192.0', draw.text()]), 1 + draw.number(9), draw.number(3)];
    return async (of) => of.pastTransfers.page(search, limit, offset, new AbortController().signal);
  },
  'pastTransfers.running': () => async (of) => of.pastTransfers.running(),
};

export const workOperations: Operations = { ...jobs, ...audit, ...transfers };
