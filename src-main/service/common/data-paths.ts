import path from 'node:path';

/** The paths in a data directory. */
export interface DataPaths {
  readonly library: string;
  readonly manifests: string;
  readonly staging: string;
  readonly backups: string;
}

export function dataPaths(dataDir: string): DataPaths {
  return {
    library: path.join(dataDir, 'library'),
    manifests: path.join(dataDir, 'manifests'),
    staging: path.join(dataDir, 'staging'),
    backups: path.join(dataDir, 'backups'),
  };
}
