import { offlineServices } from '../../service/offline-services.ts';
import { openConfigured, type DatabaseChoice } from '../../../src-main/service/database/engines/open-configured.ts';
import { secretDigest } from '../../../src-main/service/secrets/secret-digest.ts';
import { type Services } from '../../../src-main/service/services.ts';
import { fillErrors, type ErrorsFixture, type ErrorsWish } from '../errors/errors-database.ts';
import type { Tokens } from '../oauth/oauth-server.ts';

/** The initial data of a service on either database. */
export interface ClusterFixture extends ErrorsFixture {
  readonly clientId: string;
  readonly tokens: readonly Tokens[];
}

export interface ClusterWish extends ErrorsWish {
  /** Secret of the application. */
  readonly secret: string;
  /** Number of tokens of the application. */
  readonly tokens: number;
}

/** Fills an empty database: a measurement, projects with errors, and an application with tokens. */
export async function fillDatabase(choice: DatabaseChoice, wish: ClusterWish): Promise<ClusterFixture> {
  const opened = await openConfigured(choice, (error) => console.error(error));
  try {
    const services = await offlineServices(choice.dataDir, opened.context);
    return { ...(await fillErrors(services, wish)), ...(await addTokens(services, wish)) };
  } finally {
    await opened.close();
  }
}

async function addTokens(services: Services, { secret, tokens }: ClusterWish) {
  const alice = await services.users.byUsername('alice');
  if (!alice) throw new Error('there is no user alice');
  const application = await services.applications.create({
    ownerId: alice.id,
    name: 'Bench',
    clientId: 'b'.repeat(64),
    secretHash: secretDigest(secret),
    redirectUris: ['https://app.example.com/callback'],
    scopes: ['api'],
    trusted: false,
    legacyImplicit: false,
    deviceGrant: false,
  });
  const issued: Tokens[] = [];
  for (let count = 0; count < tokens; count += 1) {
    const one = await services.oauth.issueDirectly({
      kind: 'password',
      application,
      userId: alice.id,
      scopes: ['api'],
      refreshable: true,
      address: null,
    });
    issued.push({ accessToken: one?.token.accessToken ?? '', refreshToken: one?.token.refreshToken ?? '' });
  }
  return { clientId: application.clientId, tokens: issued };
}
