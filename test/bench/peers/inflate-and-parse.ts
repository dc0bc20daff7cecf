// The unavoidable work of any error server: inflates a gzip envelope and parses its event, on
// fastify as our service.
import fastify from 'fastify';
import { gunzipSync } from 'node:zlib';
import { announce } from './announce.ts';

const app = fastify({ logger: false });
app.addContentTypeParser('application/x-sentry-envelope', { parseAs: 'buffer' }, (_request, body: Buffer, done) =>
  done(null, body),
);
app.post<{ Body: Buffer }>('/', async (request) => {
  const envelope = gunzipSync(request.body);
  const header = envelope.indexOf(0x0a) + 1;
  const item = envelope.indexOf(0x0a, header) + 1;
  const { event_id: id } = JSON.parse(envelope.toString('utf8', item)) as { readonly event_id: string };
  return { id };
});
await app.listen({ host: '127.0.0.1', port: 0 });
announce(app.server);
