import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceConfig } from '../../service/config/config.ts';
import { minCacheBytes } from '../../service/measurements/objects/block-cache-settings.ts';
import {
  defaultS3GraceMs,
  isBucketName,
  normalizedPrefix,
  type S3Settings,
} from '../../service/object-storage/s3-settings.ts';
import { secretVariable, variable, type FacilityVariable } from './environment.ts';
import { CommandError } from './terminal.ts';

const dayMs = 86_400_000;
const maxGraceDays = 3650;

/**
 * The object storage that the environment names; null without BENCHPORT_S3_BUCKET.
 *
 * @throws CommandError (bad usage) that names the variable which cannot be used.
 */
export function objectStorageOf(environment: NodeJS.ProcessEnv): S3Settings | null {
  const bucket = variable(environment, 'BENCHPORT_S3_BUCKET');
  if (bucket === null) {
    refuseWithoutBucket(environment);
    return null;
  }
  const pathStyle = variable(environment, 'BENCHPORT_S3_PATH_STYLE') ?? 'true';
  if (!isBucketName(bucket)) throw unusable('BENCHPORT_S3_BUCKET', 'the name of a bucket, such as benchport-library');
  if (pathStyle !== 'true' && pathStyle !== 'false') throw unusable('BENCHPORT_S3_PATH_STYLE', 'true or false');
  return {
    bucket,
    endpoint: endpointOf(required(environment, 'BENCHPORT_S3_ENDPOINT')),
    region: regionOf(variable(environment, 'BENCHPORT_S3_REGION') ?? 'us-east-1'),
    prefix: prefixOf(variable(environment, 'BENCHPORT_S3_PREFIX') ?? ''),
    accessKeyId: secret(environment, 'BENCHPORT_S3_ACCESS_KEY_ID'),
    secretAccessKey: secret(environment, 'BENCHPORT_S3_SECRET_ACCESS_KEY'),
    pathStyle: pathStyle === 'true',
    ca: authoritiesOf(variable(environment, 'BENCHPORT_S3_CA')),
    graceMs: graceOf(variable(environment, 'BENCHPORT_S3_GRACE')),
  };
}

/**
 * The cache of blocks that the environment names.
 *
 * @param worker its number, where several share one folder; each has its own below it.
 * @throws CommandError (bad usage)
 */
export function blockCacheSettings(
  environment: NodeJS.ProcessEnv,
  dataDir: string,
  worker: number | null,
): Pick<ServiceConfig, 'blockCache'> {
  const folder = variable(environment, 'BENCHPORT_CACHE_DIR');
  const size = variable(environment, 'BENCHPORT_CACHE_BYTES');
  if (folder === null && size === null) return {};
  const maxBytes = size === null ? 2 * 1024 ** 3 : Number(/^\d{1,15}$/.test(size) ? size : 0);
  if (maxBytes < minCacheBytes) throw unusable('BENCHPORT_CACHE_BYTES', `a number of bytes from ${minCacheBytes} on`);
  const own = worker === null ? [] : [String(worker)];
  return {
    blockCache: { folder: folder === null ? path.join(dataDir, 'cache') : path.resolve(folder, ...own), maxBytes },
  };
}

function refuseWithoutBucket(environment: NodeJS.ProcessEnv): void {
  if (variable(environment, 'BENCHPORT_S3_ENDPOINT') === null) return;
  throw new CommandError('BENCHPORT_S3_ENDPOINT is set without BENCHPORT_S3_BUCKET. Name the bucket too.', 2);
}

function required(environment: NodeJS.ProcessEnv, name: FacilityVariable): string {
  const value = variable(environment, name);
  if (value === null) throw new CommandError(`BENCHPORT_S3_BUCKET is set; set ${name} too.`, 2);
  return value;
}

function secret(
  environment: NodeJS.ProcessEnv,
  name: 'BENCHPORT_S3_ACCESS_KEY_ID' | 'BENCHPORT_S3_SECRET_ACCESS_KEY',
): string {
  const value = secretVariable(environment, name);
  if (value === null) throw new CommandError(`BENCHPORT_S3_BUCKET is set; set ${name} or ${name}_FILE too.`, 2);
  return value;
}

function endpointOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username)
    throw unusable('BENCHPORT_S3_ENDPOINT', 'an address without a path, such as https://s3.lab.example');
  return url;
}

function regionOf(text: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(text)) return text;
  throw unusable('BENCHPORT_S3_REGION', 'the name of a region, such as us-east-1');
}

function prefixOf(text: string): string {
  const prefix = normalizedPrefix(text);
  if (prefix === null)
    throw unusable('BENCHPORT_S3_PREFIX', 'a path of letters, digits, dots, hyphens and underscores, such as bench/');
  return prefix;
}

function graceOf(text: string | null): number {
  if (text === null) return defaultS3GraceMs;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  // Longer than it takes to store the largest object.
  if (days >= 1 && days <= maxGraceDays) return days * dayMs;
  throw unusable('BENCHPORT_S3_GRACE', `a number of days from 1 to ${maxGraceDays}`);
}

function authoritiesOf(file: string | null): string | null {
  if (file === null) return null;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw unusable('BENCHPORT_S3_CA', 'a file with certificates (PEM)');
}

/** Does not repeat the value, which may be a secret in the wrong place. */
function unusable(name: FacilityVariable, expected: string): CommandError {
  return new CommandError(`${name} cannot be used. Give ${expected}.`, 2);
}
