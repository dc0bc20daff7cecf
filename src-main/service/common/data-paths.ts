import path from 'node:path';

/** Where a service keeps files: in its data directory, but for a library that replicas share. */
export interface DataPaths {
  readonly library: string;
  readonly manifests: string;
  readonly staging: string;
  readonly backups: string;
}

export function dataPaths(dataDir: string, libraryDir?: string): DataPaths {
  return {
    library: libraryDir ?? path.join(dataDir, 'library'),
    manifests: path.join(dataDir, 'manifests'),
    staging: path.join(dataDir, 'staging'),
    backups: path.join(dataDir, 'backups'),
  };
}
