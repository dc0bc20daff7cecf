import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../http/authentication.ts';
import { closeDescriptor, openDescriptor, readAt } from './file-descriptor.ts';
import { manifestTag } from './manifest.ts';
import type { Manifests, ReadyManifest } from './manifests.ts';
import type { Outlet } from './outlet.ts';
import { sendRepresentation } from './send-representation.ts';
import { describeManifest } from './serve-headers.ts';
import type { Serving } from './serving.ts';

/** The list of a measurement's files, as it was frozen. */
export async function serveManifest(
  serving: Serving,
  manifests: Manifests,
  request: FastifyRequest,
  reply: FastifyReply,
  measurementId: string,
): Promise<void> {
  const measurement = await serving.access.readable(principalOf(request), measurementId);
  const basePath = serving.basePath();
  const manifest = await manifests.ready(measurement, basePath, acceptsGzip(request.headers['accept-encoding']));
  await sendRepresentation(serving, request, reply, {
    measurementId,
    what: 'manifest',
    fileIndex: null,
    description: describeManifest(manifestTag(measurement, basePath), measurement, manifest.packed),
    length: manifest.length,
    copy: (outlet) => copyManifest(outlet, manifest),
    withoutRanges: true,
    body: 'body' in manifest ? manifest.body : null,
  });
}

async function copyManifest(outlet: Outlet, manifest: ReadyManifest): Promise<void> {
  if ('body' in manifest) return outlet.put(manifest.body);
  const fd = await openDescriptor(manifest.file);
  try {
    for (let position = 0; position < manifest.length;) {
      if (outlet.room === 0) await outlet.flush();
      const bytes = await readAt(fd, outlet.buffer, outlet.filled, Math.min(outlet.room, manifest.length - position), position);
      if (bytes === 0) throw new Error('the stored manifest is shorter than it was');
      outlet.add(bytes);
      position += bytes;
    }
  } finally {
    closeDescriptor(fd);
  }
}

/** Whether a client takes gzip (RFC 9110 section 12.5.3): named, or `*`, and not with weight 0. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  let any = false;
  for (const element of String(header ?? '').split(',')) {
    const [coding = '', ...parameters] = element
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const refused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
    if (coding === 'gzip' || coding === 'x-gzip') return !refused;
    if (coding === '*') any = !refused;
  }
  return any;
}
