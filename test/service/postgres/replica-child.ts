/** A replica in a process of its own, so that a test can kill or stop it. Argument: the configuration. */
import { startFromSources } from '../start-from-sources.ts';
import type { ServiceConfig } from '../../../src-main/service/config/config.ts';

const config = JSON.parse(process.argv[2] ?? '') as Partial<ServiceConfig> &
  Pick<ServiceConfig, 'dataDir' | 'database'>;
// An address is a text in the argument.
const { objectStorage } = config;
const service = await startFromSources({
  ...config,
  ...(objectStorage && { objectStorage: { ...objectStorage, endpoint: new URL(objectStorage.endpoint) } }),
});
console.log(JSON.stringify({ url: service.url, replicaId: service.services.cluster.replica()?.id }));
