// Our service without a window and with an object storage. Arguments: data directory, and the settings of
// the storage as JSON.
import { logLevel } from '../../../src-main/service/logging/logging.ts';
import type { S3Settings } from '../../../src-main/service/object-storage/s3-settings.ts';
import { startFromSources } from '../../service/start-from-sources.ts';

const [dataDir = '', text = ''] = process.argv.slice(2);
const settings = JSON.parse(text) as S3Settings;
const service = await startFromSources({
  dataDir,
  objectStorage: { ...settings, endpoint: new URL(settings.endpoint) },
  logLevel: logLevel({ BENCHPORT_LOG: 'warn' }),
});
process.once('SIGTERM', () => void service.stop(1000).then(() => process.exit(0)));
console.log(JSON.stringify({ port: service.port }));
