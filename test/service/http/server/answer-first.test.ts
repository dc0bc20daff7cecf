import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { addRawHandler } from '../../../../src-main/service/http/server/raw-handler.ts';
import { bareApp } from './bare-app.ts';

test('a busy client is told to close its connection once the service stops, by the raw handler too', async () => {
  const app = await bareApp();
  let begun = (): void => {};
  const waiting = new Promise<void>((resolve) => (begun = resolve));
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  app.get('/slow', async () => {
    begun();
    await held;
    return 'slow';
  });
  app.get('/quick', async () => 'by the router');
  addRawHandler(app, (request, response) => {
    if (request.url !== '/quick') return false;
    response.end('at once');
    return true;
  });
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });

  const socket = net.connect((app.server.address() as net.AddressInfo).port, '127.0.0.1');
  const closed = once(socket, 'close');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => (heard += text));
  const ask = (url: string) => socket.write(`GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  ask('/quick');
  await expect.poll(() => heard).toContain('at once');
  // A running request keeps the connection from being idle, so stopping leaves it open.
  ask('/slow');
  await waiting;
  const end = app.close();
  await expect.poll(() => stopping).toBe(true);
  ask('/quick');
  goOn();
  await Promise.all([end, closed]);
  const last = heard.slice(heard.lastIndexOf('HTTP/1.1'));
  expect(last).toContain('by the router');
  expect(last.toLowerCase()).toContain('\r\nconnection: close\r\n');
});
