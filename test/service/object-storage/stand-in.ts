import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { S3Settings } from '../../../src-main/service/object-storage/s3-settings.ts';

/** A fault of the answer to one request. */
export type Fault =
  | 'flip'
  | 'truncate'
  | 'reset'
  | 'lost-answer'
  | 'wrong-range'
  | 'whole'
  | 'chunked'
  | 'silent'
  | 'slow'
  | 501
  | 503
  | 403;

/** An S3-compatible storage in memory whose faults a test decides. */
export interface StandIn {
  readonly settings: S3Settings;
  /** By the path of the request, bucket included. */
  readonly objects: Map<string, Buffer>;
  /** Method and path of each request. */
  readonly requests: string[];
  /** Asked for each request. */
  fault: (method: string, path: string, query: URLSearchParams) => Fault | null;
  /** By how much its clock is ahead, in milliseconds. */
  aheadMs: number;
  /** Uploads in parts that were begun and neither completed nor given up, by their ids. */
  readonly uploads: Map<string, BegunUpload>;
  /** How many parts a list has at most. */
  partsPerList: number;
  /** When an object was put, as lists name it (ISO 8601). */
  modified: (key: string) => string;
  /** Changes a part as lists name it. */
  listed: (part: ListedPart) => ListedPart;
  close(): Promise<void>;
}

interface BegunUpload {
  readonly path: string;
  readonly initiated: string;
  readonly parts: Map<number, Buffer>;
}

/** A part in a list. */
export interface ListedPart {
  readonly number: number;
  readonly etag: string;
  readonly length: number;
}

const maxSkewMs = 15 * 60_000;
const slowMs = 300;

/** A certificate for the storage, and its key. */
interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** Starts a storage on a free port. */
export async function startStandIn(bucket = 'bench', tls: Tls | null = null): Promise<StandIn> {
  const listener: RequestListener = (request, response) =>
    void answer(standIn, request, response).catch(() => response.destroy());
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const standIn: StandIn = {
    settings: {
      endpoint: new URL(`${tls ? 'https' : 'http'}://127.0.0.1:${port}`),
      region: 'eu-lab-1',
      bucket,
      prefix: '',
      accessKeyId: 'alice',
      secretAccessKey: 'secret',
      pathStyle: true,
      ca: null,
      graceMs: 0,
    },
    objects: new Map(),
    requests: [],
    uploads: new Map(),
    partsPerList: 1000,
    modified: () => new Date().toISOString(),
    listed: (part) => part,
    fault: () => null,
    aheadMs: 0,
    close: () => closed(server),
  };
  return standIn;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function answer(standIn: StandIn, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://storage');
  const method = request.method ?? '';
  const path = decodeURIComponent(url.pathname);
  standIn.requests.push(`${method} ${path}`);
  const query = url.searchParams;
  response.setHeader('date', new Date(Date.now() + standIn.aheadMs).toUTCString());
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const fault = standIn.fault(method, path, query);
  // It is done, and nobody hears of it.
  if (fault === 'lost-answer') response.end = (): typeof response => response.destroy();
  if (fault === 'slow' && method !== 'GET') await wait(slowMs);
  if (fault === 'reset') return void response.destroy();
  if (fault === 'silent') return;
  if (fault === 503) return refuse(response, 503, 'SlowDown');
  if (fault === 501) return refuse(response, 501, 'NotImplemented');
  const refusal = fault === 403 ? 'SignatureDoesNotMatch' : refusalOf(standIn, request, body);
  if (refusal !== null) return refuse(response, 403, refusal);
  if (query.has('list-type')) return list(standIn, path, query, response);
  if (method === 'GET' && query.has('uploads')) return listUploads(standIn, path, query, response);
  if (method === 'GET' && query.has('uploadId')) return listParts(standIn, query, response);
  if (method === 'PUT') return put(standIn, path, query, body, response);
  if (method === 'POST') return multipart(standIn, path, query, body, response);
  if (method === 'DELETE') {
    const upload = query.get('uploadId');
    if (upload === null) standIn.objects.delete(path);
    else standIn.uploads.delete(upload);
    return void response.writeHead(204).end();
  }
  return send(standIn, path, method, request.headers.range, fault, response);
}

/** Checks what every storage checks, but for the signature itself, which the real ones of other tests do. */
function refusalOf({ settings, aheadMs }: StandIn, { headers }: IncomingMessage, body: Buffer): string | null {
  const credential = `Credential=${settings.accessKeyId}/`;
  if (headers.authorization?.startsWith(`AWS4-HMAC-SHA256 ${credential}`) !== true) return 'AccessDenied';
  const signed = String(headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
  if (Math.abs(Date.parse(signed) - Date.now() - aheadMs) > maxSkewMs) return 'RequestTimeTooSkewed';
  const sha256 = createHash('sha256').update(body).digest('hex');
  return headers['x-amz-content-sha256'] === sha256 ? null : 'XAmzContentSHA256Mismatch';
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': text.length }).end(text);
}

function put(standIn: StandIn, path: string, query: URLSearchParams, body: Buffer, response: ServerResponse): void {
  const id = query.get('uploadId');
  if (id === null) standIn.objects.set(path, body);
  else {
    const upload = standIn.uploads.get(id);
    if (!upload) return refuse(response, 404, 'NoSuchUpload');
    upload.parts.set(Number(query.get('partNumber')), body);
  }
  response.writeHead(200, { etag: etagOf(body) }).end();
}

function etagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function multipart(
  standIn: StandIn,
  path: string,
  query: URLSearchParams,
  body: Buffer,
  response: ServerResponse,
): void {
  if (query.has('uploads')) {
    const id = `upload-${standIn.requests.length}`;
    standIn.uploads.set(id, { path, initiated: new Date().toISOString(), parts: new Map() });
    return void response.end(
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }
  const id = query.get('uploadId') ?? '';
  const upload = standIn.uploads.get(id);
  if (!upload) return refuse(response, 404, 'NoSuchUpload');
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g)];
  const parts = named.map(([, number, etag]) => {
    const part = upload.parts.get(Number(number));
    return part && etagOf(part) === etag ? part : null;
  });
  if (parts.includes(null)) return refuse(response, 400, 'InvalidPart');
  standIn.objects.set(path, Buffer.concat(parts.filter((part) => part !== null)));
  standIn.uploads.delete(id);
  response.end('<CompleteMultipartUploadResult/>');
}

function listUploads({ uploads }: StandIn, path: string, query: URLSearchParams, response: ServerResponse): void {
  const bucket = `${path.replace(/\/$/, '')}/`;
  const found = [...uploads]
    .map(([id, { path: name, initiated }]) => ({ id, key: name.slice(bucket.length), initiated }))
    .filter(({ key }) => key.startsWith(query.get('prefix') ?? ''));
  const all = found.map(
    ({ id, key, initiated }) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`,
  );
  response.end(`<ListMultipartUploadsResult>${all.join('')}</ListMultipartUploadsResult>`);
}

function listParts(standIn: StandIn, query: URLSearchParams, response: ServerResponse): void {
  const upload = standIn.uploads.get(query.get('uploadId') ?? '');
  if (!upload) return refuse(response, 404, 'NoSuchUpload');
  const rest = [...upload.parts]
    .filter(([number]) => number > Number(query.get('part-number-marker') ?? 0))
    .toSorted(([a], [b]) => a - b);
  const all = rest.slice(0, standIn.partsPerList).map(([number, part]) => {
    const listed = standIn.listed({ number, etag: etagOf(part), length: part.length });
    const etag = listed.etag.replaceAll('"', '&quot;');
    return `<Part><PartNumber>${listed.number}</PartNumber><ETag>${etag}</ETag><Size>${listed.length}</Size></Part>`;
  });
  const isTruncated = rest.length > standIn.partsPerList;
  response.end(`<ListPartsResult><IsTruncated>${isTruncated}</IsTruncated>${all.join('')}</ListPartsResult>`);
}

function list(standIn: StandIn, path: string, query: URLSearchParams, response: ServerResponse): void {
  const bucket = `${path.replace(/\/$/, '')}/`;
  const found = [...standIn.objects]
    .map(([name, bytes]) => ({ key: name.slice(bucket.length), bytes }))
    .filter(({ key }) => key.startsWith(query.get('prefix') ?? '') && key > (query.get('start-after') ?? ''))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, Number(query.get('max-keys') ?? 1000));
  const contents = found.map(
    ({ key, bytes }) =>
      `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${standIn.modified(key)}</LastModified><Size>${bytes.length}</Size></Contents>`,
  );
  response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`);
}

function send(
  { objects }: StandIn,
  path: string,
  method: string,
  range: string | undefined,
  fault: Fault | null,
  response: ServerResponse,
): void {
  const bytes = objects.get(path);
  if (!bytes) return method === 'HEAD' ? void response.writeHead(404).end() : refuse(response, 404, 'NoSuchKey');
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (method === 'HEAD') return void response.writeHead(200, { 'content-length': bytes.length }).end();
  if (first === undefined || fault === 'whole')
    return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  const start = Number(first);
  const part = Buffer.from(bytes.subarray(start, Number(last) + 1));
  if (fault === 'flip' && part.length > 0) part[part.length >> 1] = (part[part.length >> 1] ?? 0) ^ 1;
  const from = fault === 'wrong-range' ? start + 1 : start;
  response.writeHead(206, {
    'content-range': `bytes ${from}-${from + part.length - 1}/${bytes.length}`,
    ...(fault === 'chunked' ? {} : { 'content-length': part.length }),
  });
  if (fault === 'truncate') {
    response.write(part.subarray(0, part.length >> 1));
    return void setTimeout(() => response.destroy(), 20);
  }
  if (fault === 'slow') return void setTimeout(() => response.end(part), slowMs);
  response.end(part);
}
