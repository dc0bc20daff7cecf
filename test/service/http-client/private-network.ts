// Run by `unshare -n`: servers on private addresses and on that of a metadata service, in a network
// of their own. Prints what a guard reaches of them as one line of JSON.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { parseAllowedHost } from '../../../src-main/service/http-client/allowed-hosts.ts';
import { HttpRequestError } from '../../../src-main/service/http-client/http-request-error.ts';
import { outgoingGuard, OutgoingRefused } from '../../../src-main/service/http-client/outgoing-guard.ts';
import { sendGuarded } from '../../../src-main/service/http-client/send-guarded.ts';

const port = 8080;
const hosts = ['10.9.8.7', 'fd12::7', '169.254.169.254'] as const;
const ip = (...args: readonly string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
const urlOf = (host: string, path = '/'): URL =>
  new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`);

ip('link', 'set', 'lo', 'up');
for (const host of hosts) {
  const address = host.includes(':') ? [`${host}/128`, 'nodad'] : [`${host}/32`];
  ip('addr', 'add', ...address, 'dev', 'lo');
}
let metadataRequests = 0;
const servers = hosts.map((host) =>
  createServer((request, response) => {
    if (host === '169.254.169.254') metadataRequests += 1;
    if (request.url === '/redirect') response.writeHead(307, { location: urlOf('169.254.169.254').href });
    response.end();
  }).listen(port, host),
);

async function outcomesOf(allowed: readonly string[], path?: string): Promise<Record<string, number | string>> {
  const guard = outgoingGuard(allowed.map(parseAllowedHost));
  const outcomes: Record<string, number | string> = {};
  for (const host of hosts) {
    try {
      outcomes[host] = (await sendGuarded(guard, { url: urlOf(host, path), headers: {}, body: '{}' })).status;
    } catch (error) {
      if (error instanceof OutgoingRefused) outcomes[host] = error.canBeAllowed ? 'private' : 'forbidden';
      else outcomes[host] = error instanceof HttpRequestError ? (error.status ?? error.failure) : String(error);
    }
  }
  return outcomes;
}

const direct: Record<string, number> = {};
for (const host of hosts) direct[host] = (await fetch(urlOf(host))).status;
const networks = ['10.0.0.0/8', 'fd00::/8'];
console.log(
  JSON.stringify({
    direct,
    refused: await outcomesOf([]),
    allowed: await outcomesOf(networks),
    redirected: await outcomesOf(networks, '/redirect'),
    metadataRequests,
  }),
);
for (const server of servers) {
  server.closeAllConnections();
  server.close();
}
