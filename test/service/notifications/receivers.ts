import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMessage {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

/** A receiver of webhooks, whose answer a test chooses. */
export async function webhookReceiver(): Promise<{
  readonly url: string;
  readonly received: readonly ReceivedMessage[];
  answer: (message: ReceivedMessage) => number;
  end(): Promise<void>;
}> {
  const received: ReceivedMessage[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = { headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
      const status = receiver.answer(message);
      if (status < 300) received.push(message);
      response.writeHead(status, status === 307 ? { location: 'http://127.0.0.1:1/' } : {}).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/7?room=a`,
    received,
    answer: (_message: ReceivedMessage): number => 204,
    end: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly user: string | null;
  readonly text: string;
}

/** A server for mail that wants a login, and refuses one address. */
export async function mailReceiver(): Promise<{
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  end(): Promise<void>;
}> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'seven lamps' ? done(null, { user: username ?? '' }) : done(new Error('wrong password')),
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('nobody@') ? done(Object.assign(new Error('no such user'), { responseCode: 550 })) : done(),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, user: String(session.user ?? ''), text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    end: async () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Settings of a mail server that is a `mailReceiver`. */
export const mailServerOf = ({ port }: { readonly port: number }) => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  username: 'bench',
  from: 'bench@lab.example',
  password: 'seven lamps',
});
