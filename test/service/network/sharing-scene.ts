import { openBeside } from '../fixture-measurement.ts';
import { RawClient } from '../raw-client.ts';
import { lanMeasurement } from './lan-world.ts';
import type { TestService } from '../start.ts';
import { useWorld } from '../use-service.ts';

export const big = 32 * 1024 * 1024;

/** How the transfers of a service ended, the oldest first; null while one runs. */
export function transferOutcomes(service: TestService): readonly (string | null)[] {
  const database = openBeside(service);
  try {
    return database.prepare<[], string | null>('SELECT outcome FROM transfers ORDER BY id').pluck().all();
  } finally {
    database.close();
  }
}

/** A measurement and a network that can be changed. */
export function useSharing() {
  const world = useWorld(lanMeasurement);

  /** A download whose client stops reading in the middle. */
  async function slowDownload(url: string): Promise<RawClient> {
    const client = await RawClient.open(url);
    client.get('/measurements/qmr-114/files/1', `Authorization: Bearer ${world.token}`);
    await client.until(1000);
    client.pause();
    return client;
  }

  return { world, slowDownload };
}
