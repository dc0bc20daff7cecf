/** A replica in a process of its own, so that a test can kill or stop it. Argument: the configuration. */
import { startFromSources } from '../start-from-sources.ts';
import type { ServiceConfig } from '../../../src-main/service/config/config.ts';

const config = JSON.parse(process.argv[2] ?? '') as Partial<ServiceConfig> &
  Pick<ServiceConfig, 'dataDir' | 'database'>;
const service = await startFromSources(config);
console.log(JSON.stringify({ url: service.url, replicaId: service.services.cluster.replica()?.id }));
