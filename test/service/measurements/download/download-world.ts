import { addMeasurement, type Fixture } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';

export const small = Buffer.from('hello, measurement');
export const big = Buffer.from(Array.from({ length: 700_000 }, (_, i) => (i * 7 + (i >> 8)) & 0xff));
/** Where the measurement with the three files is. */
export const base = '/measurements/NGSQ-1.raw_x';

export interface DownloadWorld {
  readonly service: TestService;
  readonly fixture: Fixture;
  /** Token of alice, who owns everything, with the scope read_measurement. */
  readonly token: string;
  /** Token of bob, who may see nothing. */
  readonly stranger: string;
  /** Asks with alice's token, unless the headers say otherwise. */
  readonly ask: (path: string, headers?: Readonly<Record<string, string>>, method?: string) => Promise<Response>;
  end(): Promise<void>;
}

/** A service with the measurement `base`, an empty one and one of 300 files. */
export async function startDownloadWorld(): Promise<DownloadWorld> {
  const service = await startTestService();
  const alice = await service.user('alice');
  const token = await service.token(alice, ['read_measurement']);
  const stranger = await service.token(await service.user('bob'));
  const fixture = await addMeasurement(service, alice, 'NGSQ-1.raw_x', [
    { path: 'a.txt', bytes: small },
    { path: 'empty', bytes: '' },
    { path: 'sub/größe.bin', bytes: big },
  ]);
  await addMeasurement(service, alice, 'nothing', []);
  await addMeasurement(
    service,
    alice,
    'many',
    Array.from({ length: 300 }, (_, i) => ({ path: `f${String(i).padStart(3, '0')}`, rowOnly: true })),
  );
  const ask: DownloadWorld['ask'] = (path, headers = {}, method = 'GET') =>
    fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity', ...headers },
    });
  return { service, fixture, token, stranger, ask, end: () => service.end() };
}

export async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}
