import { createLogger } from '../../src-main/service/logging/logging.ts';
import { OwnErrors } from '../../src-main/service/own-errors/own-errors.ts';
import { createServices, type Services } from '../../src-main/service/services.ts';

/** The services of a data directory without a server, to write what a service has before its first start. */
export async function offlineServices(
  dataDir: string,
  context: Parameters<typeof createServices>[1],
): Promise<Services> {
  const config = {
    dataDir,
    host: '127.0.0.1',
    port: 0,
    baseUrl: null,
    window: null,
    rendererDir: '',
    assetsDir: '',
    version: '',
    logLevel: 'silent',
  } as const;
  return createServices(config, context, createLogger('silent'), new OwnErrors());
}
