import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { addRawHandler } from '../../../../src-main/service/http/server/raw-handler.ts';
import { endWithRawHead } from '../../../../src-main/service/measurements/content/raw-response.ts';
import { bareApp } from '../../http/server/bare-app.ts';

test('raw responses are sent in the order of their requests, whose streams have ended by then, and end with their connection', async () => {
  const app = await bareApp();
  const ended: boolean[] = [];
  let closed = 0;
  addRawHandler(app, (request, response) => {
    const body = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nbody ${request.url?.at(-1)}`);
    response.once('close', () => (closed += 1));
    endWithRawHead(response, 200, body.toString('latin1', 0, body.length - 6), body);
    ended.push(request.readableEnded);
    return true;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = net.connect((app.server.address() as net.AddressInfo).port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => (heard += text));
  socket.write(['/1', '/2', '/3'].map((url) => `GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
  await expect.poll(() => heard).toContain('body 3');
  socket.write('GET /4 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => heard).toContain('body 4');
  expect(heard.match(/body \d/g)).toEqual(['body 1', 'body 2', 'body 3', 'body 4']);
  expect(ended).toEqual([true, true, true, true]);
  await expect.poll(() => closed).toBe(4);
  socket.end();
  await once(socket, 'close');
  await app.close();
});
