import type { FastifyReply, FastifyRequest } from 'fastify';
import { openSync } from 'node:fs';
import { acceptsGzip } from '../../http/semantics/accepts-gzip.ts';
import { principalOf } from '../../http/authentication.ts';
import { canBypassNode } from '../content/idle-socket.ts';
import { copyUnchecked } from '../content/copy-file.ts';
import { closeDescriptor, openDescriptor, openFlags } from '../../files/file-descriptor.ts';
import { manifestTag } from '../catalogue/manifest.ts';
import type { Manifests, ReadyManifest } from './manifests.ts';
import type { ResponseWriter } from '../content/response-writer.ts';
import { sendRepresentation } from './send-representation.ts';
import { describeManifest } from '../content/serve-headers.ts';
import type { Serving } from './serving.ts';

/** Serves the frozen list of a measurement's files. */
export async function serveManifest(
  serving: Serving,
  manifests: Manifests,
  request: FastifyRequest,
  reply: FastifyReply,
  measurementId: string,
): Promise<void> {
  const measurement = await serving.access.readable(principalOf(request), measurementId);
  const basePath = serving.basePath();
  const manifest = await manifests.ready(measurement, basePath, {
    packed: acceptsGzip(request.headers['accept-encoding']),
    asFile: serving.kernel !== null && canBypassNode(reply.raw),
  });
  await sendRepresentation(serving, request, reply, {
    measurementId,
    what: 'manifest',
    fileIndex: null,
    fileCount: measurement.file_count,
    description: describeManifest(manifestTag(measurement, basePath), measurement, manifest.packed),
    length: manifest.length,
    copy: (writer) => copyManifest(serving, writer, manifest),
    withoutRanges: true,
    body: 'body' in manifest ? manifest.body : null,
  });
}

async function copyManifest(serving: Serving, writer: ResponseWriter, manifest: ReadyManifest): Promise<void> {
  if ('body' in manifest) return writer.put(manifest.body);
  const syncIo = serving.syncIoPolicies.of(serving.services.paths.manifests);
  const fd = syncIo.allowed ? openSync(manifest.file, openFlags) : await openDescriptor(manifest.file);
  try {
    if ((await copyUnchecked(writer, { fd, syncIo }, 0, manifest.length)) < manifest.length)
      throw new Error('the stored manifest is shorter than it was');
  } finally {
    closeDescriptor(fd);
  }
}
