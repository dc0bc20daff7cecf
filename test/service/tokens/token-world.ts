import type { PersonalAccessToken } from '../../../src-main/service/contract/accounts.ts';
import { openBeside } from '../fixture-measurement.ts';
import { addUser } from '../people.ts';
import { startTestService, type TestService } from '../start.ts';

export const list = '/api/v4/personal_access_tokens';
export const password = 'a long password';
const day = 86_400_000;
export const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString().slice(0, 10);

interface AuditRow {
  readonly action: string;
  readonly user_id: number | null;
  readonly address: string | null;
  readonly detail: string;
}

/** A service with an administrator, Alice, who has a password, and Bob. */
export interface TokenWorld {
  readonly service: TestService;
  readonly alice: number;
  readonly aliceToken: string;
  readonly bob: number;
  readonly adminToken: string;
  readonly api: (method: string, path: string, token: string, body?: object) => Promise<Response>;
  /** The number of a working token. */
  readonly idOf: (token: string) => Promise<number>;
  readonly works: (token: string) => Promise<boolean>;
  readonly auditOf: (subject: string) => readonly AuditRow[];
  end(): Promise<void>;
}

export async function startTokenWorld(): Promise<TokenWorld> {
  const service = await startTestService();
  const api: TokenWorld['api'] = async (method, path, token, body) =>
    fetch(service.url + path, {
      method,
      headers: { 'private-token': token, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const adminToken = await service.token(await service.user('steward', true), ['api']);
  const alice = (await addUser(service.services, 'alice', { name: 'Alice', email: 'alice@bench.example', password }))
    .id;
  return {
    service,
    end: () => service.end(),
    alice,
    adminToken,
    bob: await service.user('bob'),
    aliceToken: await service.token(alice, ['api']),
    api,
    idOf: async (token) => ((await (await api('GET', `${list}/self`, token)).json()) as PersonalAccessToken).id,
    works: async (token) => (await api('GET', `${list}/self`, token)).status === 200,
    auditOf: (subject) => {
      const beside = openBeside(service);
      try {
        return beside
          .prepare('SELECT action, user_id, address, detail FROM audit_events WHERE subject = ? ORDER BY id')
          .all(subject) as AuditRow[];
      } finally {
        beside.close();
      }
    },
  };
}
