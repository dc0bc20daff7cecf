import { expect, test } from 'vitest';
import { BodyBudget } from '../../../../src-main/service/http/server/body-budget.ts';
import { defaultListenerLimits } from '../../../../src-main/service/http/server/listener-limits.ts';
import { createApp } from '../../../../src-main/service/http/server/server.ts';
import { createLogger } from '../../../../src-main/service/logging/logging.ts';
import { trustedProxies } from '../../../../src-main/service/http/server/trusted-proxies.ts';

type Line = Readonly<Record<string, unknown>>;

async function linesOf(
  url: string,
  logged: object,
): Promise<{ readonly id: unknown; readonly lines: readonly Line[] }> {
  const lines: Line[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line) as Line) });
  const app = await createApp({
    log,
    tls: null,
    proxies: trustedProxies([]),
    listenerLimits: defaultListenerLimits,
    bodyBudget: new BodyBudget(),
    hostAllowed: () => true,
    rewriteUrl: (address) => address,
  });
  app.post('/things', async (request) => {
    request.log.info(logged, 'said by the route');
    return {};
  });
  const response = await app.inject({ method: 'POST', url });
  await app.close();
  return { id: response.headers['x-request-id'], lines };
}

test('every line of a request has its id, also the one about the response', async () => {
  const { id, lines } = await linesOf('/things', {});
  expect(id).toEqual(expect.any(String));
  expect(lines).toMatchObject([
    { reqId: id, msg: 'said by the route' },
    {
      reqId: id,
      msg: 'request',
      method: 'POST',
      url: '/things',
      status: 200,
      ms: expect.any(Number) as number,
      address: '127.0.0.1',
    },
  ]);
});

test('logged fields are redacted by name, and secrets in the address by their form', async () => {
  const secret = `bpat-${'0a'.repeat(16)}`;
  const { lines } = await linesOf(`/things?token=${secret}&${secret}=1`, {
    token: secret,
    body: { refresh_token: secret, name: 'bench 3' },
    request: { headers: { authorization: secret, 'private-token': secret } },
  });
  expect(lines[0]).toMatchObject({ token: '[redacted]', body: { refresh_token: '[redacted]', name: 'bench 3' } });
  expect(lines[1]).toMatchObject({ url: '/things?token=&[redacted]=' });
  expect(JSON.stringify(lines)).not.toContain(secret);
});
