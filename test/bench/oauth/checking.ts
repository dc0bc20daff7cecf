import { availableParallelism } from 'node:os';
import { details, spreadRow, variantOf, type Goal } from '../goals/goal.ts';
import { measureInTurn, type Variant } from '../rounds.ts';
import { ratios } from '../statistics.ts';
import { connections, type OAuthBench } from './oauth-bench.ts';
import type { OAuthServer } from './oauth-server.ts';

/** Checking whether a token is valid. */
export const checking: Goal<OAuthBench> = {
  name: 'checking',
  method:
    'One access token of the application, asked about on 8 kept connections of the epoll client: GET /oauth/token/info with the token as bearer at our service, POST to the introspection endpoint with client id and secret in the form at the others, and at ours as well. The server has one core, the client the other.',
  run: async (bench) => {
    const seconds = bench.options.quick ? 1 : 3;
    const load = { connections, requests: 1e9, seconds, core: 1 };
    const tokens = new Map<OAuthServer, string>();
    for (const provider of [bench.ours, bench.oidcProvider, bench.doorkeeper])
      tokens.set(provider, (await provider.newTokens(1))[0]?.accessToken ?? '');
    const tokenOf = (provider: OAuthServer) => tokens.get(provider) ?? '';
    const introspection = (provider: OAuthServer, name: string): Variant => ({
      name,
      server: provider.server,
      run: () =>
        bench.client(provider.server, provider.introspectionPath, {
          ...load,
          forms: [`client_id=${provider.clientId}&client_secret=${provider.secret}&token=${tokenOf(provider)}`],
          say: '"active":true',
        }),
    });
    const variants: readonly Variant[] = [
      {
        name: 'benchport',
        server: bench.ours.server,
        run: () =>
          bench.client(bench.ours.server, '/oauth/token/info', {
            ...load,
            authorization: `Bearer ${tokenOf(bench.ours)}`,
            say: '"resource_owner_id"',
          }),
      },
      introspection(bench.ours, 'benchport, introspection'),
      introspection(bench.oidcProvider, 'oidc-provider'),
      introspection(bench.doorkeeper, 'Doorkeeper'),
    ];
    for (const { server } of variants) server.pin('0');
    const measured = await measureInTurn(variants, bench.options.rounds);
    for (const { server } of variants) server.pin(`0-${availableParallelism() - 1}`);
    const ours = variantOf(measured, 'benchport').requestsPerSecond;
    const limit = { atLeast: 1.2, unit: 'x' };
    return {
      rows: [
        spreadRow(
          'token check',
          'oidc-provider',
          ratios(ours, variantOf(measured, 'oidc-provider').requestsPerSecond),
          limit,
        ),
      ],
      details: details('token check', measured.values(), 'requests'),
    };
  },
};
