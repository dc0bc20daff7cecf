import { availableParallelism } from 'node:os';
import { details, spreadRow, variantOf, type Goal } from '../goals/goal.ts';
import { measureInTurn } from '../rounds.ts';
import { ratios } from '../statistics.ts';
import { connections, type OAuthBench } from './oauth-bench.ts';
import type { OAuthServer } from './oauth-server.ts';

/** New tokens for refresh tokens. */
export const issuing: Goal<OAuthBench> = {
  name: 'issuing',
  method:
    'POST to the token endpoint with grant_type=refresh_token, client id and secret in the form, on 8 kept connections of the epoll client: each connection refreshes with the token that the answer before gave it. Every answer is an access token and a new refresh token. The server has one core, the client the other. Our service writes each issue to disk before it answers (SQLite, synchronous=FULL) with a row of its audit trail; Doorkeeper writes to SQLite with synchronous=NORMAL; oidc-provider keeps everything in memory.',
  run: async (bench) => {
    const providers = [bench.ours, bench.oidcProvider, bench.doorkeeper];
    const seconds = bench.options.quick ? 1 : 3;
    const formOf = ({ clientId, secret }: OAuthServer, refreshToken: string) =>
      `client_id=${clientId}&client_secret=${secret}&grant_type=refresh_token&refresh_token=${refreshToken}`;
    for (const { server } of providers) server.pin('0');
    const measured = await measureInTurn(
      providers.map((provider) => ({
        name: provider.server.name,
        server: provider.server,
        run: async () => {
          const tokens = await provider.newTokens(connections);
          const forms = tokens.map(({ refreshToken }) => formOf(provider, refreshToken));
          return bench.client(provider.server, provider.tokenPath, {
            connections,
            requests: 1e9,
            seconds,
            forms,
            chain: true,
            say: '"access_token":"',
            core: 1,
          });
        },
      })),
      bench.options.rounds,
    );
    for (const { server } of providers) server.pin(`0-${availableParallelism() - 1}`);
    const ours = variantOf(measured, 'benchport').requestsPerSecond;
    const row = (name: string, atLeast: number) =>
      spreadRow('issuing by refresh', name, ratios(ours, variantOf(measured, name).requestsPerSecond), {
        atLeast,
        unit: 'x',
      });
    return {
      rows: [row('oidc-provider', 0.5), row('Doorkeeper', 20)],
      details: details('issuing by refresh', measured.values(), 'requests'),
    };
  },
};
