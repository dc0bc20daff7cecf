import { offlineServices } from '../../service/offline-services.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { passwords } from '../../../src-main/service/secrets/passwords.ts';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { newPersonalAccessToken } from '../../../src-main/service/tokens/token-format.ts';
import { secretDigest } from '../../../src-main/service/secrets/secret-digest.ts';
import { addMeasurement } from '../fixture/measurements.ts';
import type { FileSet } from '../fixture/files.ts';
import type { Tokens } from './oauth-server.ts';

export const password = 'a password of this measurement';

/** The initial data of our service. */
export interface OurFixture {
  readonly clientId: string;
  readonly tokens: readonly Tokens[];
  /** Users who sign in with the one password. */
  readonly usernames: readonly string[];
  readonly admin: string;
  readonly reader: string;
}

/**
 * Writes the database of our service: an application with tokens, users with passwords, and one
 * measurement that bob may fetch.
 */
export async function writeOAuthDatabase(
  dataDir: string,
  root: string,
  wish: {
    readonly secret: string;
    readonly tokens: number;
    readonly people: number;
    readonly set: FileSet;
    readonly names: readonly string[];
  },
): Promise<OurFixture> {
  const database = openDatabase(dataDir);
  const services = await offlineServices(dataDir, storeContext(database));
  try {
    const passwordHash = await passwords().hash(password);
    const add = async (username: string, isAdmin = false) => {
      const user = await services.users.create({ username, name: username, email: null, passwordHash, isAdmin });
      if (!user) throw new Error(`there is a user ${username} already`);
      return user.id;
    };
    const personalToken = async (userId: number) => {
      const token = newPersonalAccessToken();
      await services.tokens.create({
        userId,
        name: 'bench',
        description: '',
        scopes: ['read_api'],
        tokenHash: secretDigest(token),
        expiresAt: null,
      });
      return token;
    };
    const alice = await add('alice', true);
    const bob = await add('bob');
    const usernames = Array.from({ length: wish.people }, (_, index) => `person-${index}`);
    for (const username of usernames) await add(username);
    await addMeasurement(services, alice, root, wish.set, wish.names);
    await services.grants.grant(wish.set.name, { userId: bob }, null, alice);

    const application = await services.applications.create({
      ownerId: alice,
      name: 'Bench',
      clientId: 'b'.repeat(64),
      secretHash: secretDigest(wish.secret),
      redirectUris: ['https://app.example.com/callback'],
      scopes: ['api'],
      trusted: false,
      legacyImplicit: false,
      deviceGrant: false,
    });
    const tokens = await Promise.all(
      Array.from({ length: wish.tokens }, async () => {
        const issued = await services.oauth.issueDirectly({
          kind: 'password',
          application,
          userId: bob,
          scopes: ['api'],
          refreshable: true,
          address: null,
        });
        return { accessToken: issued?.token.accessToken ?? '', refreshToken: issued?.token.refreshToken ?? '' };
      }),
    );
    return {
      clientId: application.clientId,
      tokens,
      usernames,
      admin: await personalToken(alice),
      reader: await personalToken(bob),
    };
  } finally {
    database.close();
  }
}
