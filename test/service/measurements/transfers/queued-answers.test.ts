import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { QueuedResponses } from '../../../../src-main/service/measurements/transfers/queued-responses.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';

test('L6: a queued response learns at once that its connection is closed', async () => {
  const queued = new QueuedResponses();
  let [waiting, closed] = [0, 0];
  const server = createServer((_request, response) => {
    if (response.socket !== null) return;
    // Node before 24 destroys no queued response.
    response.destroy = () => response;
    waiting += 1;
    response.once('close', () => (closed += 1));
    queued.add(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = await RawClient.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (let i = 0; i < 20; i += 1) client.get('/');
  await until(() => waiting === 19, 'the requests');
  client.socket.resetAndDestroy();
  await until(() => closed === 19, 'the ends of the answers that waited');
  expect(closed).toBe(19);
  server.close();
});
