import { afterAll, beforeAll } from 'vitest';
import { startIngestWorld, type IngestWorld } from '../ingest-world.ts';

/** A service that takes events, and what it has stored. */
export function useIngest() {
  const scene = {} as { world: IngestWorld };
  beforeAll(async () => {
    scene.world = await startIngestWorld();
  });
  afterAll(async () => scene.world.end());
  const counted = (outcome: string) =>
    scene.world.rows<{ n: number }>(
      'SELECT ifnull(sum(count), 0) AS n FROM ingest_counts WHERE outcome = ?',
      outcome,
    )[0]?.n;

  return Object.assign(scene, { counted });
}
