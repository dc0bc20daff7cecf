import { HttpProblem, invalidRequest } from '../../common/problem.ts';
import { formatBytes } from '../../common/format-bytes.ts';
import { freeBytes } from '../../common/free-bytes.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';
import { pathRefusal } from '../../files/names.ts';
import { isMeasurementId } from '../../../../src-shared/measurement-names.ts';
import type { Principal } from '../../http/principal.ts';
import { requireReadable } from '../../http/server/require-readable.ts';
import { reaches, roleIn } from '../../projects/require-role.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServiceConfig } from '../../config/config.ts';
import { hasLibrary } from '../storage/shared-library.ts';
import { basePathOf } from '../registration/registration-freeze.ts';
import type { FileTimes } from '../store/file-times.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import { bodyKey } from './direct/upload-objects.ts';
import { overQuota } from './over-quota.ts';
import { makePlace, newUploadId, removeFiles } from './upload-files.ts';

/** Of a user. */
export const maxUnfinished = 100;
const maxTitle = 200;
const maxNameBytes = 255;

export interface CreateUploadDeps
  extends Pick<MeasurementStores, 'uploads' | 'registrations' | 'quotas'>, Pick<ProjectStores, 'projects'> {
  readonly paths: DataPaths;
  readonly diskSpace: DiskSpaceMonitor;
  readonly config: ServiceConfig;
}

/** Of the uploads that have begun, apart from the measurements, one of which may be called "uploads". */
export const uploadsPath = '/api/v4/uploads';

/** Without the host, so that it is right through any relay or proxy. */
export function addressOf(deps: Pick<CreateUploadDeps, 'config'>, id: string): string {
  return `${basePathOf(deps)}${uploadsPath}/${id}`;
}

export interface UploadRequest {
  /** Of a folder that is there; null to make one. */
  readonly id: string | null;
  readonly measurementId: string;
  readonly title: string | undefined;
  /** Path of a project whose members may read the measurement. */
  readonly project: string | undefined;
  /** Ends with .zip for an archive of the files; otherwise it is the measurement's only file. */
  readonly fileName: string;
  /** Null when it is not known. */
  readonly length: number | null;
  /** Facts that follow from its manifest; null without one. */
  readonly manifest: {
    readonly tag: string;
    readonly files: number;
    readonly directoryOffset: number;
    readonly times: FileTimes | null;
    /** Of its archive, when its bytes go into the object storage as they come. */
    readonly objectKey: string | null;
  } | null;
}

/**
 * Begins an upload. Nothing of it is visible to others before it is registered.
 *
 * @returns with a manifest also an upload of the caller that began with the same one.
 * @throws HttpProblem 409 when there is a measurement or an upload with this id (with the address of
 * the upload if it is the caller's, and has this length), 403 or 404 for the project, 413 and 507 when
 * there is no room.
 */
export async function createUpload(
  deps: CreateUploadDeps,
  principal: Principal,
  request: UploadRequest,
): Promise<UploadRow> {
  const { measurementId, fileName, length, manifest } = request;
  const title = checkNames(request);
  const projectId = await projectOf(deps, principal, request.project);
  if (await deps.registrations.idTaken(measurementId)) throw idTaken(measurementId);
  const before = await ownOrRefused(deps, principal, request);
  if (before) return before;
  const id = request.id ?? newUploadId();
  const objectKey = objectKeyFor(deps, id, manifest);
  const isDirect = objectKey !== null;
  await requireDisk(deps, isDirect);
  const bytes = await requirePlace(deps, principal);
  if (!isDirect) await requireRoom(deps, bytes, { length: length ?? 0, copies: manifest === null ? 2 : 1 });
  if (length === null) await requireNoQuota(deps, principal, projectId);
  const place = { id, file_name: fileName };
  if (request.id === null && !isDirect) await makePlace(deps, place);
  const created = await deps.uploads.create(
    {
      ...place,
      measurement_id: measurementId,
      title,
      owner_id: principal.userId,
      project_id: projectId,
      length,
      archive_tag: manifest?.tag ?? null,
      file_count: manifest?.files ?? null,
      directory_offset: manifest?.directoryOffset ?? null,
      files_from: manifest?.times?.beganAt ?? null,
      files_to: manifest?.times?.endedAt ?? null,
      object_key: objectKey,
    },
    Date.now(),
  );
  if (created !== null && 'id' in created) return created;
  if (request.id === null) await removeFiles(deps, place.id);
  if (created !== null) throw overQuota(created, length ?? 0);
  const other = await ownOrRefused(deps, principal, request);
  if (other) return other;
  throw new HttpProblem(409, 'Another upload with this id has just ended. Try again.', { type: 'upload-exists' });
}

/** @returns the upload that began with the same manifest. @throws HttpProblem 409 for another one. */
async function ownOrRefused(
  deps: Pick<CreateUploadDeps, 'uploads' | 'config'>,
  { userId }: Principal,
  { measurementId, length, manifest }: UploadRequest,
): Promise<UploadRow | null> {
  const other = await deps.uploads.receiving(measurementId);
  if (!other) return null;
  const isOwn = other.owner_id === userId;
  if (isOwn && manifest !== null && other.archive_tag === manifest.tag) return other;
  const mayGoOn = isOwn && manifest === null && other.archive_tag === null && other.length === length;
  throw new HttpProblem(
    409,
    `${isOwn ? 'You are' : 'Somebody is'} already uploading a measurement ${measurementId}. ${isOwn ? 'Go on with that upload, or give it up.' : 'Choose another id.'}`,
    { type: 'upload-exists', ...(mayGoOn ? { headers: { location: addressOf(deps, other.id) } } : {}) },
  );
}

/** Where its bytes go as they come; null for the library. */
function objectKeyFor(
  { config }: Pick<CreateUploadDeps, 'config'>,
  id: string,
  manifest: UploadRequest['manifest'],
): string | null {
  if (manifest !== null) return manifest.objectKey;
  return hasLibrary(config) ? null : bodyKey(id);
}

/** Without a length nothing can be said before it has come. */
async function requireNoQuota(
  { quotas }: Pick<MeasurementStores, 'quotas'>,
  { userId }: Principal,
  projectId: number | null,
): Promise<void> {
  const ofUser = await quotas.ofUser(userId);
  const ofProject = projectId === null ? null : await quotas.ofProject(projectId);
  if (ofUser.quotaBytes !== null || (ofProject !== null && ofProject.quotaBytes !== null))
    throw new HttpProblem(411, 'There is a quota, so say how long it is: send it with Content-Length.');
}

export function idTaken(measurementId: string): HttpProblem {
  return new HttpProblem(409, `There is already a measurement ${measurementId}. Choose another id.`, {
    type: 'id-taken',
  });
}

/** @returns the title. */
function checkNames({ measurementId, title, fileName }: UploadRequest): string {
  if (!isMeasurementId(measurementId))
    throw invalidRequest(
      'A measurement id starts with a letter or digit and has at most 128 letters, digits, dots, hyphens and underscores. Send it as "id".',
    );
  const refusal = fileNameRefusal(fileName);
  if (refusal !== null) throw invalidRequest(`The file name cannot be used: ${refusal}.`);
  const shown = title?.trim().normalize('NFC') || measurementId;
  if (shown.length > maxTitle) throw invalidRequest(`A title has at most ${maxTitle} characters.`);
  requireReadable('The title', shown);
  return shown;
}

function fileNameRefusal(name: string): string | null {
  if (name.includes('/')) return 'it has a slash';
  // Of Linux, where it is stored under this name.
  if (Buffer.byteLength(name) > maxNameBytes) return `it is longer than ${maxNameBytes} bytes`;
  return pathRefusal(name);
}

async function projectOf(
  deps: Pick<CreateUploadDeps, 'projects'>,
  principal: Principal,
  path: string | undefined,
): Promise<number | null> {
  if (path === undefined || path === '') return null;
  const project = await deps.projects.byPath(path);
  const role = project === null ? null : await roleIn(deps, principal, project);
  if (project === null || role === null)
    throw new HttpProblem(404, `There is no project ${path}, or you are not a member of it.`);
  if (!reaches(role, 'developer'))
    throw new HttpProblem(403, `Uploading into ${path} needs the role developer. Yours is ${role}.`);
  return project.id;
}

/** Whether an upload needs the disk of the library, and not just that of the data directory for its parts. */
export function usesLibrary({ config }: Pick<CreateUploadDeps, 'config'>, isDirect: boolean): boolean {
  return !isDirect || config.libraryDir === undefined;
}

/** @throws HttpProblem 507 for a full disk. */
export async function requireDisk(
  deps: Pick<CreateUploadDeps, 'config' | 'diskSpace'>,
  isDirect: boolean,
): Promise<void> {
  if (usesLibrary(deps, isDirect)) await deps.diskSpace.require('Nothing is uploaded');
}

/**
 * @returns the room that the user's unfinished uploads need.
 * @throws HttpProblem 429 for too many of them.
 */
async function requirePlace(deps: CreateUploadDeps, { userId }: Principal): Promise<number> {
  const { count, bytes } = await deps.uploads.unfinished(userId);
  if (count >= maxUnfinished)
    throw new HttpProblem(429, `You have ${maxUnfinished} uploads that are not finished. Finish or delete some.`, {
      type: 'too-many-uploads',
    });
  return bytes;
}

/**
 * @param room The length of an upload, and how often it lies on the disk until it is registered: the
 * files of an archive that is read when it has come are copied out of it.
 * @param bytes The room that other uploads of the user need.
 * @throws HttpProblem 413.
 */
async function requireRoom(
  deps: CreateUploadDeps,
  bytes: number,
  { length, copies }: { readonly length: number; readonly copies: 1 | 2 },
): Promise<void> {
  const free = (await freeBytes(deps.paths.library).catch(() => Infinity)) - deps.diskSpace.minFreeBytes;
  if (copies * length + bytes <= free) return;
  throw new HttpProblem(
    413,
    `There is no room for it: ${formatBytes(free)} can be used, and it needs ${formatBytes(copies * length)} until it is registered, beside your other uploads.`,
    { type: 'no-room' },
  );
}
