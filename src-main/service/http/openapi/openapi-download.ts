import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { FilePieces, MeasurementManifest } from '../../contract/measurements.ts';

type Json = Record<string, unknown>;

const bytes = Type.String({ description: 'Bytes', format: 'binary' });
/** An error body as it is sent. */
export const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
});
const refusals = {
  304: { type: 'null', description: 'The copy of the caller is current (If-None-Match, If-Modified-Since)' },
  400: problem('Two credentials at once'),
  401: problem('No credential, or one that does not hold'),
  403: problem('The scope is too small, or the caller has no access'),
  404: problem('There is no such measurement or file, or a registered file is missing'),
  409: problem('A file was changed since the registration'),
  412: problem('A precondition (If-Match, If-Unmodified-Since) does not hold'),
  429: problem('Too many downloads with this credential at once; Retry-After says when to come again'),
  503: problem('A file cannot be read now, or the server sends as much as it can; Retry-After says when to come again'),
};
const body = (description: string, type: string, schema: object) => ({ description, content: { [type]: { schema } } });

/**
 * The answers of the operations of the download interface, only for the document: their bodies
 * are streamed past fastify, which must not prepare to serialise them.
 */
export const downloadResponses: Readonly<Record<string, object>> = {
  downloadMeasurementAsZip: {
    200: body('The ZIP archive of all files', 'application/zip', bytes),
    206: body('The range of the archive', 'application/zip', bytes),
    ...refusals,
    416: problem('No byte of the range exists'),
  },
  downloadFilesAsZip: {
    200: body('The ZIP archive of these files', 'application/zip', bytes),
    206: body('The range of the archive', 'application/zip', bytes),
    ...refusals,
    400: problem('Two credentials at once, or a list of files that is missing, wrong or too long'),
    416: problem('No byte of the range exists'),
  },
  downloadFile: {
    200: body('The whole file', 'application/octet-stream', bytes),
    206: body('The range, or several as multipart/byteranges', 'application/octet-stream', bytes),
    ...refusals,
    416: problem('No byte of the range exists'),
  },
  getFilePieces: {
    200: body('The SHA-256 of each piece', 'application/json', FilePieces),
    ...refusals,
  },
  manifest: { 200: body('The files in their stable order', 'application/json', MeasurementManifest), ...refusals },
};

/**
 * The specification describes the manifest's address with a trailing slash as a separate operation;
 * the router treats both as one.
 */
export function addSlashedManifest(paths: Json): void {
  const path = '/measurements/{measurementId}/files';
  const manifest = (paths[path] as { readonly get?: object } | undefined)?.get;
  if (manifest) paths[`${path}/`] = { get: { ...manifest, operationId: 'manifest_1' } };
}
