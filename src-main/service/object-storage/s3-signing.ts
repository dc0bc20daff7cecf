import aws4 from 'aws4';
import { hash } from 'node:crypto';
import type { S3Settings } from './s3-settings.ts';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without the prefix; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** Hexadecimal SHA-256 of the body, where it is known already. */
  readonly sha256?: string | undefined;
}

/** A request with the headers that sign it. */
export interface SignedRequest {
  readonly url: URL;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

const emptySha256 = hash('sha256', '');

/** The address of the bucket's host: path style, or with the bucket as its first label. */
function bucketUrl({ endpoint, bucket, pathStyle }: S3Settings): URL {
  return pathStyle ? endpoint : new URL(`${endpoint.protocol}//${bucket}.${endpoint.host}`);
}

/**
 * Signs a request (AWS Signature Version 4, header form).
 *
 * @param now by the clock of the storage, in milliseconds.
 */
export function signRequest(settings: S3Settings, request: S3Request, now: number): SignedRequest {
  const { region, bucket, prefix, pathStyle, accessKeyId, secretAccessKey } = settings;
  const url = bucketUrl(settings);
  const query = new URLSearchParams(request.query).toString().replaceAll('+', '%20');
  const key = request.key === '' ? '' : `${prefix}${request.key}`.split('/').map(encodeURIComponent).join('/');
  const path = `/${pathStyle ? `${bucket}/` : ''}${key}`;
  const target = query === '' ? path : `${path}?${query}`;
  const { body } = request;
  const { headers = {} } = aws4.sign(
    {
      service: 's3',
      region,
      host: url.host,
      method: request.method,
      path: target,
      headers: {
        ...request.headers,
        'X-Amz-Date': new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, ''),
        'X-Amz-Content-Sha256': request.sha256 ?? (body ? hash('sha256', body) : emptySha256),
        ...(body ? { 'Content-Length': String(body.length) } : {}),
      },
    },
    { accessKeyId, secretAccessKey },
  );
  return { url, target, headers: Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, String(v)])) };
}
