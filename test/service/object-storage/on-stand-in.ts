import { afterAll, beforeAll, beforeEach } from 'vitest';
import { S3Storage } from '../../../src-main/service/object-storage/s3-storage.ts';
import { startStandIn, type StandIn } from './stand-in.ts';

interface Started {
  readonly standIn: StandIn;
  readonly storage: S3Storage;
}

type Timeouts = ConstructorParameters<typeof S3Storage>[1];

/** A storage on a stand-in for all tests of the file that calls this, without faults and requests when a test begins. */
export function onStandIn(timeouts: Timeouts, take: (started: Started) => void): void {
  let standIn: StandIn;
  let storage: S3Storage;
  beforeAll(async () => {
    standIn = await startStandIn();
    storage = new S3Storage(standIn.settings, timeouts, timeouts);
    take({ standIn, storage });
  });
  afterAll(async () => {
    storage.close();
    await standIn.close();
  });
  beforeEach(() => {
    standIn.fault = () => null;
    standIn.requests.length = 0;
  });
}
