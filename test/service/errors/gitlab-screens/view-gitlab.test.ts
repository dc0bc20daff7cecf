import { beforeAll, describe, expect, it } from 'vitest';
import { startViewWorld } from '../view-world.ts';
import { useWorld } from '../../use-service.ts';

const now = Date.now();
const world = useWorld(startViewWorld);
let id: string;
const settings = '/api/v4/projects/lab%2Fqmr/error_tracking/settings';

beforeAll(async () => {
  for (let i = 0; i < 21; i += 1) await world.event({ type: `E${i}`, at: now - i * 1000 });
  const frame = {
    function: 'measure',
    filename: 'bench.py',
    abs_path: '/lab/bench.py',
    lineno: 7,
    colno: 2,
    in_app: true,
  };
  const frames = [
    { ...frame, function: 'main', lineno: 1 },
    { ...frame, pre_context: ['a', '<b>'], context_line: 'c', post_context: ['d'] },
  ];
  id = await world.event({
    type: 'ScanError',
    value: 'coil <script>',
    user: 'alice',
    release: 'qmr@1.0',
    more: {
      logger: 'lab.scan',
      exception: { values: [{ type: 'ScanError', value: 'coil <script>', stacktrace: { frames } }] },
    },
  });
  await world.as.maintainer('PUT', settings, { active: true, integrated: true });
});

const address = '/lab/qmr/-/error_tracking';

describe("GitLab's addresses", () => {
  it('lists errors page by page', async () => {
    const first = await world.as.reporter('GET', `${address}.json`);
    expect(first.status).toBe(200);
    expect(first.headers.get('poll-interval')).toBe('10000');
    const {
      errors,
      pagination,
      external_url: externalUrl,
    } = first.body as { errors: { id: string }[]; pagination: { next: { cursor: string } }; external_url: null };
    expect(errors).toHaveLength(20);
    expect(externalUrl).toBeNull();
    expect(errors[0]).toMatchObject({
      id,
      title: 'ScanError: coil <script>',
      type: 'ScanError',
      message: 'coil <script>',
      count: 1,
      user_count: 1,
      status: 'unresolved',
      project_id: world.projectId,
      project_slug: 'qmr',
      external_url: `${world.url}/lab/qmr/-/error_tracking/${id}`,
    });
    const { frequency } = errors[0] as unknown as { frequency: [number, number][] };
    expect(frequency).toHaveLength(24);
    expect(frequency.at(-1)).toEqual([Math.floor(Date.now() / 3600_000) * 3600, 1]);
    const second = await world.as.reporter('GET', `${address}.json?cursor=${pagination.next.cursor}`);
    expect(second.body).toMatchObject({ pagination: {} });
    expect((second.body as { errors: unknown[] }).errors).toHaveLength(2);
    const found = await world.as.reporter('GET', `${address}.json?search_term=coil&sort=frequency`);
    expect((found.body as { errors: unknown[] }).errors).toHaveLength(1);
  });

  it('has details and the stack trace, the oldest call first', async () => {
    const details = await world.as.reporter('GET', `${address}/${id}/details.json`);
    expect(details.body).toMatchObject({
      error: {
        id,
        first_release_short_version: 'qmr@1.0',
        integrated: true,
        external_base_url: world.url,
        gitlab_issue: null,
        tags: { level: 'error', logger: 'lab.scan' },
      },
    });
    const { body } = await world.as.reporter('GET', `${address}/${id}/stack_trace.json`);
    expect(body).toMatchObject({
      error: {
        issue_id: id,
        stack_trace_entries: [
          { function: 'main', lineNo: 1, context: [] },
          {
            function: 'measure',
            lineNo: 7,
            colNo: 2,
            filename: 'bench.py',
            abs_path: '/lab/bench.py',
            context: [
              [5, 'a'],
              [6, '<b>'],
              [7, 'c'],
              [8, 'd'],
            ],
          },
        ],
      },
    });
    expect((await world.as.reporter('GET', `${address}/4711/details.json`)).status).toBe(404);
  });

  it('changes the status', async () => {
    expect((await world.as.reporter('PUT', `${address}/${id}.json`, { status: 'resolved' })).status).toBe(403);
    expect(await world.as.developer('PUT', `${address}/${id}.json`, { status: 'resolved' })).toMatchObject({
      status: 200,
      body: { updated: true },
    });
    const resolved = await world.as.reporter('GET', `${address}.json?issue_status=resolved`);
    expect((resolved.body as { errors: { id: string }[] }).errors.map((one) => one.id)).toEqual([id]);
    expect((await world.as.developer('PUT', `${address}/4711.json`, { status: 'resolved' })).status).toBe(404);
  });

  it("refuses in GitLab's words", async () => {
    expect(await world.as.outsider('GET', `${address}.json`)).toMatchObject({
      status: 404,
      body: { message: '404 Project Not Found' },
    });
    expect((await world.with(null)('GET', `${address}.json`)).status).toBe(401);
    await world.as.maintainer('PUT', settings, { active: false, integrated: true });
    expect(await world.as.reporter('GET', `${address}.json`)).toMatchObject({
      status: 400,
      body: { message: 'Error Tracking is not enabled' },
    });
    await world.as.steward('PUT', settings, {
      active: true,
      integrated: false,
      api_url: 'http://127.0.0.1:9/api/0/projects/a/b',
      token: 'abc',
    });
    const failed = await world.as.reporter('GET', `${address}.json`);
    expect(failed.status).toBe(400);
    expect((failed.body as { message: string }).message).toContain('127.0.0.1:9');
    await world.as.maintainer('PUT', settings, { active: true, integrated: true });
    await world.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: false });
    for (const path of ['.json', `/${id}/details.json`, `/${id}/stack_trace.json`])
      expect((await world.as.reporter('GET', address + path)).status).toBe(404);
    await world.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: true });
  });

  it.each([
    ['/lab/qmr/-/error_tracking', '/ui/projects/lab%2Fqmr/errors'],
    ['/lab/qmr/-/error_tracking/12', '/ui/projects/lab%2Fqmr/errors/12'],
    ['/solo/-/error_tracking/', '/ui/projects/solo/errors'],
    ['/lab/qmr/-/settings/operations', '/ui/projects/lab%2Fqmr/settings'],
  ])('redirects %s to the screen', async (from, to) => {
    const response = await fetch(world.url + from, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([303, to]);
  });

  it('answers 404 for a number that is malformed', async () => {
    expect((await fetch(`${world.url}/lab/qmr/-/error_tracking/x`, { redirect: 'manual' })).status).toBe(404);
  });
});
