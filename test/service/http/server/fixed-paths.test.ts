import { beforeAll, expect, test } from 'vitest';
import { useTestService } from '../../use-service.ts';

const service = useTestService();
let admin: string;
beforeAll(async () => {
  admin = await service.token(await service.user('steward', true), ['api']);
});

interface Beside {
  /** With every parameter of the fixed path filled in. */
  readonly path: string;
  readonly own: readonly string[];
  readonly pattern: string;
  readonly ofPattern: readonly string[];
}

/** Every path of the document that fits a pattern with more parameters too. */
async function fixedPaths(): Promise<readonly Beside[]> {
  const { paths } = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as {
    readonly paths: Record<string, object>;
  };
  const methodsOf = (path: string): string[] => Object.keys(paths[path] ?? {}).map((method) => method.toUpperCase());
  const regularExpressions = Object.keys(paths).map(
    (path) =>
      [path, new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)] as const,
  );
  const parameters = (path: string): number => path.split('{').length;
  return Object.keys(paths).flatMap((path) => {
    const filled = path.replaceAll(/\{[^}]+\}/g, '1');
    return regularExpressions
      .filter(([pattern, expression]) => parameters(pattern) > parameters(path) && expression.test(filled))
      .map(([pattern]) => ({ path: filled, own: methodsOf(path), pattern, ofPattern: methodsOf(pattern) }));
  });
}

const withHead = (methods: readonly string[]): string[] =>
  [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].toSorted();

test('D4 every fixed path allows its own methods, and answers 405 to the methods of the pattern beside it', async () => {
  const found = await fixedPaths();
  expect(found.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/api/v4/users/managed',
      '/api/v4/projects/mine',
      '/api/v4/projects/1/members/all',
      '/api/v4/projects/1/errors/merge',
      '/api/v4/local/fetches/actions',
      '/api/v4/local/servers/certificate',
    ]),
  );
  for (const { path, own, ofPattern } of found) {
    const options = await fetch(service.url + path, { method: 'OPTIONS' });
    expect(options.status, path).toBe(204);
    // A measurement may be called "verify" or "uploads", and is read, changed and removed at that address.
    const expected = /^\/api\/v4\/measurements\/(verify|uploads)$/.test(path)
      ? withHead([...own, ...ofPattern])
      : withHead(own);
    expect(options.headers.get('allow'), path).toBe(expected.join(', '));
    for (const method of ofPattern.filter((one) => !expected.includes(one))) {
      const answer = await fetch(service.url + path, { method, headers: { 'private-token': admin } });
      expect(answer.status, `${method} ${path}`).toBe(405);
      expect(answer.headers.get('allow'), `${method} ${path}`).toBe(expected.join(', '));
    }
  }
});

test('D4 a project named "mine" does not hide the list of the user\'s projects', async () => {
  const made = await fetch(`${service.url}/api/v4/projects`, {
    method: 'POST',
    headers: { 'private-token': admin, 'content-type': 'application/json' },
    body: JSON.stringify({ path: 'mine', name: 'Mine' }),
  });
  expect(made.status).toBe(400);
});
