import { app } from 'electron';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { LaunchOptions } from '../settings/launch-options.ts';
import type { ServiceSocket } from './service-socket.ts';
import { startServiceProcess } from './service-host.ts';
import { superviseService, type ServiceSupervisor } from './service-supervisor.ts';
import { makeSocketPlace } from './socket-folder.ts';

/** The service of this launch, not started yet, and how to reach it. */
export interface DesktopService {
  readonly supervisor: ServiceSupervisor;
  readonly serviceSocket: ServiceSocket;
  /** Folder of icons and sample data. */
  readonly assetsDir: string;
  removeSocket(): Promise<void>;
}

/**
 * Prepares the service: its data directory, its private socket, and the secret of this launch,
 * which only the service and this process know.
 */
export async function prepareService(options: LaunchOptions, out: string): Promise<DesktopService> {
  const launchId = randomBytes(8).toString('hex');
  const place = await makeSocketPlace(launchId, process.env['XDG_RUNTIME_DIR']);
  const serviceSocket = { socketPath: place.socketPath, secret: randomBytes(32).toString('hex') };
  const unpacked = out.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');
  const entry = path.join(unpacked, 'service/service.js');
  const assetsDir = path.join(app.isPackaged ? process.resourcesPath : app.getAppPath(), 'assets');
  const developmentNode = app.isPackaged ? packedNode() : process.env['BENCHPORT_DEV_NODE'];

  const supervisor = superviseService(
    () => {
      // A killed service leaves its socket file behind, and listening on an existing path fails.
      rmSync(serviceSocket.socketPath, { force: true });
      const started = startServiceProcess(entry, developmentNode);
      for (const stream of started.output) stream.pipe(process.stderr, { end: false });
      return started;
    },
    {
      dataDir: options.dataDir ?? path.join(app.getPath('userData'), 'data'),
      ...serviceSocket,
      host: '127.0.0.1',
      port: options.port,
      assetsDir,
      rendererDir: path.join(unpacked, 'renderer'),
    },
  );
  return { supervisor, serviceSocket, assetsDir, removeSocket: () => place.remove() };
}

/**
 * A package built with the development runtime contains its own Node, in a folder that only the
 * package's owner can write to.
 */
function packedNode(): string | undefined {
  const file = path.join(process.resourcesPath, 'development-node');
  return existsSync(file) ? file : undefined;
}
