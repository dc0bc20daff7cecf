import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startFaultServer, type FaultServer, type FaultServerOptions } from '../../../faults/fault-server.ts';
import { openFetchLab, type FetchLab, type Scene } from '../../../faults/fetch-lab.ts';
import type { GeneratedMeasurement } from '../../../faults/measurement.ts';

export interface FaultsWorld {
  readonly lab: FetchLab;
  /** Stopped after the test, which may replace it. */
  server: FaultServer;
  /** Must be clean after the test, which may replace it. */
  scene: Scene;
}

/**
 * A lab for all tests of the file that calls this, with a new server and an empty target for each;
 * its members exist while a test runs.
 */
export function useFaults(measurement: GeneratedMeasurement, options: FaultServerOptions = {}): FaultsWorld {
  const world = {} as { lab: FetchLab; server: FaultServer; scene: Scene };
  beforeAll(async () => void (world.lab = await openFetchLab()));
  afterAll(() => world.lab.end());
  beforeEach(async () => {
    world.server = await startFaultServer(measurement, options);
    world.scene = world.lab.scene(measurement);
  });
  afterEach(async () => {
    await world.server.stop();
    world.scene.mustBeClean();
  });
  return world;
}
