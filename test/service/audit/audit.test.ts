import { beforeAll, describe, expect, test, vi } from 'vitest';
import { csvCell } from '../../../src-main/service/audit/trail/audit-csv.ts';
import type { AuditEvent } from '../../../src-main/service/contract/account-security.ts';
import { throttle } from '../../../src-shared/throttle.ts';
import { useTestService } from '../use-service.ts';

const service = useTestService();
let token: string;
let bob: number;

beforeAll(async () => {
  token = await service.token(await service.user('alice', true), ['read_api']);
  bob = await service.user('bob');
  const { audit } = service.services;
  for (let i = 0; i < 1203; i += 1)
    await audit.record({
      userId: i % 3 === 0 ? bob : null,
      action: i % 2 === 0 ? 'token.revoke' : 'token.create',
      subject: `token:${i}`,
    });
  await audit.record({
    userId: bob,
    action: 'project.create',
    subject: 'project:1',
    detail: '=HYPERLINK("http://elsewhere.example"), "quoted"\nnext',
    address: '192.0.2.1',
  });
});

const ask = (path: string) => fetch(`${service.url}${path}`, { headers: { 'private-token': token } });
const list = async (query: string) => (await (await ask(`/api/v4/audit_events?${query}`)).json()) as AuditEvent[];
const total = async (query: string) =>
  Number((await ask(`/api/v4/audit_events?per_page=1&${query}`)).headers.get('x-total'));

describe('the audit trail', () => {
  test('is listed by pages, the newest first', async () => {
    const [newest, next] = await list('per_page=2');
    expect(newest).toMatchObject({
      user: 'bob',
      action: 'project.create',
      subject: 'project:1',
      address: '192.0.2.1',
      application: null,
    });
    expect(next).toMatchObject({ action: 'token.revoke', subject: 'token:1202' });
    expect([newest?.subject_now, next?.subject_now]).toEqual([null, null]);
    expect(await list('per_page=2&page=2')).toMatchObject([{ subject: 'token:1201' }, { subject: 'token:1200' }]);
  });

  test('is filtered by user, action and time', async () => {
    expect(await total('user=bob')).toBe(402);
    expect(await total('user=BOB&action=token.')).toBe(401);
    expect(await total('action=token.create')).toBe(601);
    expect(await total('action=token')).toBe(1203);
    expect(await total('user=nobody')).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    expect(await total(`from=${today}&to=${today}`)).toBe(await total(''));
    expect(await total('to=2020-01-01')).toBe(0);
    expect(await total(`from=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`)).toBe(0);
    for (const query of [
      'from=soon',
      'from=2026-13-01',
      'to=2026-02-30',
      'from=2026-02-30T08:00:00Z',
      'to=1',
      'page=0',
    ])
      expect((await ask(`/api/v4/audit_events?${query}`)).status).toBe(400);
  });

  test('is exported completely as CSV, and no cell becomes a formula', async () => {
    const answer = await ask('/api/v4/audit_events.csv?action=token.');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit-events.csv"');
    const lines = (await answer.text()).split('\r\n');
    expect(lines).toHaveLength(1203 + 2);
    expect(lines[0]).toBe('id,at,user,application,action,subject,detail,address');
    expect(lines[1]).toMatch(/^\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,,,token\.revoke,token:1202,,$/);
    expect(new Set(lines.slice(1, -1)).size).toBe(1203);
    const all = await (await ask('/api/v4/audit_events.csv?action=project')).text();
    expect(all).toContain(`project:1,"'=HYPERLINK(""http://elsewhere.example""), ""quoted""\nnext",192.0.2.1\r\n`);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1'])('makes %j inert', (text) => {
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
  });
});

test('new rows are announced immediately, and then at most once a second', () => {
  vi.useFakeTimers();
  const tell = vi.fn<() => void>();
  const add = throttle(1000, tell);
  for (let i = 0; i < 5; i += 1) add();
  expect(tell).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  expect(tell).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(tell).toHaveBeenCalledTimes(2);
  add();
  expect(tell).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});
