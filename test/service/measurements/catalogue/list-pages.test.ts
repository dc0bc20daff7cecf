import { beforeAll, expect, it } from 'vitest';
import { openBeside } from '../../fixture-measurement.ts';
import { useTestService } from '../../use-service.ts';

const service = useTestService();
let token: string;
const count = 10_130;

beforeAll(async () => {
  const alice = await service.user('alice', true);
  token = await service.token(alice);
  const database = openBeside(service);
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, created_at)
      SELECT 'M' || i, 'Run ' || i, 'run ' || i, ${alice}, 'library', '', 'available', i / 7 FROM n`);
  database.close();
});

async function list(
  query: string,
): Promise<{ readonly response: Response; readonly ids: readonly string[]; readonly next: string | null }> {
  const response = await fetch(query.startsWith('http') ? query : `${service.url}/api/v4/measurements?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body: unknown = await response.json();
  const [, next = null] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  return { response, ids: Array.isArray(body) ? (body as { id: string }[]).map(({ id }) => id) : [], next };
}

it('S1: a list of more than 10,000 has no total, says so, and can be read completely by its Link headers', async () => {
  const { response } = await list('per_page=100');
  const { headers } = response;
  expect([
    headers.get('x-total'),
    headers.get('x-total-pages'),
    headers.get('x-total-at-least'),
    headers.get('x-next-page'),
  ]).toEqual([null, null, '10000', '2']);
  expect(headers.get('link')).not.toContain('rel="last"');
  for (const begin of [
    'per_page=100&page=99',
    'per_page=100&sort=title&order=desc&page=99',
    'per_page=100&search=Run&page=99',
  ]) {
    const seen = new Set<string>();
    let answers = 0;
    for (let next: string | null = begin; next !== null; answers += 1) {
      const page = await list(next);
      expect(page.response.status).toBe(200);
      for (const id of page.ids) seen.add(id);
      next = page.next;
    }
    expect([begin, seen.size, answers]).toEqual([begin, count - 9800, 4]);
  }
});

it('S1: keyset pagination gives every measurement once, in its order', async () => {
  const ids: string[] = [];
  for (let next: string | null = 'pagination=keyset&per_page=100&sort=created_at&order=desc'; next !== null;) {
    const page = await list(next);
    expect(page.response.headers.get('x-total')).toBe(null);
    ids.push(...page.ids);
    next = page.next;
  }
  expect([ids.length, new Set(ids).size, ids[0]]).toEqual([count, count, `M${count}`]);
});

it('S1: a page far behind is refused with an explanation, and so is a cursor of another order', async () => {
  const deep = await list('page=10000&per_page=100');
  expect(deep.response.status).toBe(400);
  expect((await list('page=101&per_page=100')).response.status).toBe(200);
  const { next } = await list('pagination=keyset&per_page=1');
  for (const query of [
    `${next ?? ''}&sort=title`,
    `${service.url}/api/v4/measurements?pagination=keyset&cursor=nonsense`,
  ]) {
    expect((await list(query)).response.status).toBe(400);
  }
});

it('S1: one or two letters can be searched too, and a search with many matches has no total', async () => {
  const rare = await list('search=99&per_page=100&sort=id&order=asc');
  expect(rare.response.headers.get('x-total')).toBe(
    String(Array.from({ length: count }, (_, at) => `M${at + 1}`).filter((id) => id.includes('99')).length),
  );
  const { response } = await list('search=run');
  expect([response.headers.get('x-total'), response.headers.get('x-total-at-least')]).toEqual([null, '10000']);
});
