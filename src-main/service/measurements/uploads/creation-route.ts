import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { Upload } from '../../contract/measurements.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { basePathOf } from '../registration/registration-freeze.ts';
import { addressOf, createUpload } from './create-upload.ts';
import { linesType, type CreatedUpload } from './create-with-manifest.ts';
import type { ReceivedUploads, ReceivedUploadsDeps } from './received-uploads.ts';
import {
  bytesHeader,
  chunkType,
  readChecksum,
  readMetadata,
  requireTus,
  tusAbilities,
  tusHeaders,
} from './tus-headers.ts';
import { expiryOf, shapeOfMeasurement } from './upload-shape.ts';

type Deps = ReceivedUploadsDeps & { readonly auth: Authentication };

const creation = '/api/v4/measurements/uploads';
const description = `With a manifest: a JSON document with id, title, project, and manifest, a list of files each with path, length, crc32, sha256 and registrationTime, sorted by the code points of their paths; or the same as lines (${linesType}), one for the measurement and one for each file. The upload is then the archive that follows from it (stored members in this order, see the guide), and is verified while it comes. The same again answers 200, with the upload or with the measurement. As tus: Upload-Length, and Upload-Metadata with id and filename, and if wanted title and project. A file whose name ends with .zip is an archive of the files. The answer has the address in Location.`;

/** Registers the route with which an upload begins. */
export function registerCreation(part: App, deps: Deps, uploads: ReceivedUploads): void {
  part.options(creation, { schema: { hide: true } }, async (_request, reply) =>
    reply.code(204).headers(tusAbilities).header('allow', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST').send(),
  );
  part.post(
    creation,
    {
      onRequest: deps.auth.require('write_measurement'),
      config: { body: 'own-reader', unconfirmed: true, slowBody: true },
      schema: {
        tags: ['uploads'],
        summary: 'Begin to upload a measurement, with a manifest or as tus 1.0 (creation)',
        description,
        operationId: 'createUpload',
        response: {
          200: Upload,
          201: Type.Union([Upload, Type.String({ maxLength: 0 })]),
          400: Problem,
          403: Problem,
          404: Problem,
          409: Problem,
          412: Problem,
          413: Problem,
          422: Problem,
          503: Problem,
        },
      },
    },
    async (request, reply) => {
      if (/^application\/(json|x-ndjson)\b/.test(request.headers['content-type'] ?? ''))
        return sendCreated(deps, uploads, reply, await uploads.create(principalOf(request), request.raw));
      requireTus(request.headers);
      const metadata = readMetadata(request.headers);
      const upload = await createUpload(deps, principalOf(request), {
        measurementId: metadata.get('id') ?? '',
        title: metadata.get('title'),
        project: metadata.get('project'),
        fileName: metadata.get('filename') ?? 'archive.zip',
        length: bytesHeader(request.headers, 'Upload-Length'),
        id: null,
        manifest: null,
      });
      const offset =
        request.headers['content-type'] === chunkType || upload.length === 0
          ? await uploads.append(upload, request.raw, 0, readChecksum(request.headers))
          : 0;
      return reply
        .code(201)
        .headers({ ...tusHeaders, location: addressOf(deps, upload.id), 'upload-offset': String(offset) })
        .header('upload-expires', expiryOf(upload))
        .send('');
    },
  );
}

async function sendCreated(
  deps: Deps,
  uploads: ReceivedUploads,
  reply: FastifyReply,
  created: CreatedUpload,
): Promise<FastifyReply> {
  if ('measurement' in created) {
    const { measurement } = created;
    const location = `${basePathOf(deps)}/measurements/${measurement.id}`;
    return reply.code(200).header('location', location).send(shapeOfMeasurement(measurement));
  }
  const shape = await uploads.shape(created.upload);
  return reply
    .code(created.isNew ? 201 : 200)
    .headers({ ...tusHeaders, location: addressOf(deps, created.upload.id), 'upload-offset': String(shape.offset) })
    .header('upload-expires', expiryOf(created.upload))
    .send(shape);
}
