import { afterEach } from 'vitest';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import type { TransferLimits } from '../../../../src-main/service/measurements/transfers/transfers.ts';
import { RawClient } from '../../raw-client.ts';
import { zeros } from '../../zeros.ts';

export const long = 64 * 1024 * 1024;

interface Row {
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly user_id: number;
  readonly token_id: number;
  readonly address: string;
  readonly what: string;
  readonly file_index: number | null;
  readonly range: string | null;
  readonly status: number;
  readonly bytes_sent: number;
  readonly outcome: string | null;
  readonly user_agent: string | null;
  readonly requests: number;
}

/** A service that a test starts with limits of its own, and clients that read slowly. */
export function useClients() {
  const scene = {} as { service: TestService; token: string; alice: number };

  afterEach(() => scene.service.end());

  async function start(limits: Partial<TransferLimits> = {}): Promise<void> {
    scene.service = await startTestService({ transferLimits: limits });
    scene.alice = await scene.service.user('alice');
    scene.token = await scene.service.token(scene.alice);
    await addMeasurement(scene.service, scene.alice, 'm', [
      await zeros(scene.service, 'm', 'long.bin', long),
      { path: 'small.txt', bytes: 'small' },
    ]);
  }

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(scene.service.url + path, { headers: { authorization: `Bearer ${scene.token}`, ...headers } });

  async function slow(who = scene.token): Promise<RawClient> {
    const client = await RawClient.open(scene.service.url);
    client.get('/measurements/m/files/0', `Authorization: Bearer ${who}`);
    await client.until(1);
    client.pause();
    return client;
  }

  function rows(): Row[] {
    const database = openBeside(scene.service);
    const all = database
      .prepare<[], Row>(
        'SELECT transfers.*, text AS user_agent FROM transfers LEFT JOIN user_agents ON user_agents.id = user_agent_id ORDER BY transfers.id',
      )
      .all();
    database.close();
    return all;
  }

  return Object.assign(scene, { start, slow, ask, rows });
}
