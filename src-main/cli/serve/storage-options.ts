import type { Command } from 'commander';
import type { ServiceConfig } from '../../service/config/config.ts';
import { blockCacheSettings, objectStorageOf } from '../support/object-storage.ts';
import type { Terminal } from '../support/terminal.ts';

/** Options of a service that keeps archives in a bucket; each has a variable of its own. */
export interface StorageOptions {
  readonly s3Endpoint?: string;
  readonly s3Region?: string;
  readonly s3Bucket?: string;
  readonly s3Prefix?: string;
  readonly s3AccessKeyIdFile?: string;
  readonly s3SecretAccessKeyFile?: string;
  readonly s3PathStyle?: string;
  readonly s3Ca?: string;
  readonly s3Grace?: string;
  readonly cacheDir?: string;
  readonly cacheBytes?: string;
}

export function addStorageOptions(serve: Command): void {
  serve
    .option('--s3-endpoint <url>', 'object storage for copied measurements, any S3 (BENCHPORT_S3_ENDPOINT)')
    .option('--s3-region <region>', 'its region, us-east-1 when left out (BENCHPORT_S3_REGION)')
    .option('--s3-bucket <bucket>', 'bucket that keeps the archives (BENCHPORT_S3_BUCKET)')
    .option('--s3-prefix <prefix>', 'before all keys (BENCHPORT_S3_PREFIX)')
    .option(
      '--s3-access-key-id-file <file>',
      'file with the id of the access key (BENCHPORT_S3_ACCESS_KEY_ID or ..._FILE)',
    )
    .option(
      '--s3-secret-access-key-file <file>',
      'file with the secret of the access key (BENCHPORT_S3_SECRET_ACCESS_KEY or ..._FILE)',
    )
    .option(
      '--s3-path-style <true|false>',
      'bucket in the path or in the host, true when left out (BENCHPORT_S3_PATH_STYLE)',
    )
    .option('--s3-ca <file>', 'authorities that sign its certificate, PEM (BENCHPORT_S3_CA)')
    .option('--s3-grace <days>', 'how long removed archives are kept, 7 when left out (BENCHPORT_S3_GRACE)')
    .option('--cache-dir <folder>', 'folder of the block cache of this process alone (BENCHPORT_CACHE_DIR)')
    .option('--cache-bytes <bytes>', 'size of the block cache, 2 GiB when left out (BENCHPORT_CACHE_BYTES)');
}

/** Settings of the object storage and of the cache in front of it. @throws CommandError (bad usage) */
export function storageSettings(
  terminal: Terminal,
  options: StorageOptions,
  dataDir: string,
  worker: number | null,
): Pick<ServiceConfig, 'objectStorage' | 'blockCache'> {
  const environment = withOptions(terminal, options);
  return { objectStorage: objectStorageOf(environment), ...blockCacheSettings(environment, dataDir, worker) };
}

/** @throws CommandError (bad usage) for settings that name none although they begin to. */
export function hasObjectStorage(terminal: Terminal, options: StorageOptions): boolean {
  return objectStorageOf(withOptions(terminal, options)) !== null;
}

function withOptions(terminal: Terminal, options: StorageOptions): NodeJS.ProcessEnv {
  const given = {
    BENCHPORT_S3_ENDPOINT: options.s3Endpoint,
    BENCHPORT_S3_REGION: options.s3Region,
    BENCHPORT_S3_BUCKET: options.s3Bucket,
    BENCHPORT_S3_PREFIX: options.s3Prefix,
    BENCHPORT_S3_ACCESS_KEY_ID_FILE: options.s3AccessKeyIdFile,
    BENCHPORT_S3_SECRET_ACCESS_KEY_FILE: options.s3SecretAccessKeyFile,
    BENCHPORT_S3_PATH_STYLE: options.s3PathStyle,
    BENCHPORT_S3_CA: options.s3Ca,
    BENCHPORT_S3_GRACE: options.s3Grace,
    BENCHPORT_CACHE_DIR: options.cacheDir,
    BENCHPORT_CACHE_BYTES: options.cacheBytes,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...terminal.environment, ...set };
}
