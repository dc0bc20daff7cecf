import { requireLibrary } from '../storage/shared-library.ts';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { HttpProblem } from '../../common/problem.ts';
import { ownFolders } from '../storage/own-folders.ts';
import { requireReadable } from '../../http/server/require-readable.ts';
import type { NewJob } from '../../jobs/jobs-store.ts';
import type { NameGroup } from '../../../../src-shared/name-pattern.ts';
import { replaceUnseen } from '../../common/unseen-characters.ts';
import { isMeasurementId, suggestedId } from '../../../../src-shared/measurement-names.ts';
import { failureText } from '../../files/register-failures.ts';
import type { FileTimes } from '../store/file-times.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';

export interface RegistrationRequest {
  /** Absolute path of a folder, a file or a ZIP archive. */
  readonly path: string;
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly copy?: boolean | undefined;
  /**
   * Registers the rest when some names cannot be registered; the names left out are stored with the
   * measurement.
   */
  readonly leaveOut?: boolean | undefined;
  readonly ownerId: number;
  readonly watched?: WatchedSource | undefined;
  /** Jobs of one lane run one after the other; all other registrations share one. */
  readonly lane?: string | undefined;
}

/** A source that was watched until it was complete, and must be what was seen last. */
export interface WatchedSource {
  /** Names that are left out beside those of the ignore list. */
  readonly ignore: readonly string[];
  /** Of a folder, only the files at its root that belong to the run. */
  readonly only: NameGroup | null;
  /** Of the list of files, see `ListSignature`; null when names are left out. */
  readonly signature: string | null;
  /** Left out of the paths that are signed. */
  readonly stem: string;
  /** Of the bytes, see `contentDigest`; null when they were not read before. */
  readonly content: string | null;
}

export type SourceKind = 'folder' | 'file' | 'zip';

/** The request of a registration, stored in the parameters of its job. */
export interface RegistrationParameters {
  readonly path: string;
  /**
   * `members`: the verified files of an upload with a manifest, which is the path. `object`: an upload
   * whose bytes are in the object storage, with or without a manifest.
   */
  readonly kind: SourceKind | 'members' | 'object';
  readonly copy: boolean;
  readonly leaveOut?: boolean | undefined;
  readonly title?: string | undefined;
  readonly watched?: WatchedSource | undefined;
  /** Jobs of one lane run one after the other. */
  readonly lane?: string | undefined;
  /** It was uploaded into a folder of its own, which is removed when the job has ended. */
  readonly received?: boolean;
  /** Id of an upload whose bytes are in the object storage. */
  readonly upload?: string;
  /** Of an upload with a manifest, from which they follow. */
  readonly archiveTag?: string;
  readonly fileCount?: number;
  readonly times?: FileTimes;
  /** Set once the list of files is complete and stored. */
  readonly planned?: boolean;
  /** Ignore patterns used for the list, so that the second check ignores the same files. */
  readonly ignoreList?: readonly string[];
  /** Inode of the source folder: an unmounted disk leaves a different, empty folder behind. */
  readonly root?: string;
  /** Size and modification time of the archive when it was listed. */
  readonly archive?: { readonly size: number; readonly mtimeNs: string };
}

/**
 * Validates a request and reserves its id. The returned job must be queued or run.
 *
 * @throws HttpProblem when the path does not exist or lies in the data directory, or the id is
 * taken.
 */
export async function prepareRegistration(
  services: Pick<MeasurementStores, 'registrations'> & {
    readonly config: ServiceConfig;
    readonly diskSpace: DiskSpaceMonitor;
  },
  request: RegistrationRequest,
): Promise<NewJob> {
  const source = await findSource(services, request.path);
  if (request.id !== undefined && !isMeasurementId(request.id)) {
    throw new HttpProblem(
      422,
      'A measurement id starts with a letter or digit and has at most 128 letters, digits, dots, hyphens and underscores.',
      {
        type: 'bad-id',
      },
    );
  }
  if (request.title !== undefined) requireReadable('The title', request.title);
  const copy = request.copy === true || source.kind === 'zip';
  requireLibrary(services.config, 'Upload the files instead.');
  if (!copy && services.config.libraryDir !== undefined)
    throw new HttpProblem(
      422,
      'In a facility files are always copied into the library, because other replicas do not see this folder. Register with --copy.',
      { type: 'reference-unsupported' },
    );
  // Nobody is there to choose again what an instrument has written: its job waits for space.
  if (copy && !request.watched) await services.diskSpace.require('Nothing is copied into the library');
  const id = await reserve(services, request, source, copy);
  const parameters: RegistrationParameters = {
    path: source.path,
    kind: source.kind,
    copy,
    title: request.title,
    leaveOut: request.leaveOut === true,
    ...(request.watched && { watched: request.watched }),
    ...(request.lane !== undefined && { lane: request.lane }),
  };
  return { kind: 'register', measurementId: id, userId: request.ownerId, parameters: { ...parameters } };
}

/**
 * Reserves the id of a measurement that was uploaded. The returned job must be queued or run.
 *
 * @param received its path lies in a folder of its own, which the job removes.
 * @returns null when the id is taken.
 */
export async function registrationOfReceived(
  { registrations }: Pick<MeasurementStores, 'registrations'>,
  received: {
    readonly path: string;
    readonly id: string;
    readonly title: string;
    readonly ownerId: number;
    /** Null for an upload without a manifest. */
    readonly archive: {
      readonly tag: string;
      readonly files: number;
      readonly times: FileTimes | null;
    } | null;
    /** Its id when its bytes are in the object storage. */
    readonly upload: string | null;
  },
): Promise<NewJob | null> {
  const { path: file, id, title, ownerId, archive, upload } = received;
  if (!(await registrations.reserve({ id, title, ownerId, storage: 'library', root: file }))) return null;
  const withoutManifest = /\.zip$/i.test(file) ? 'zip' : 'file';
  const kind = upload !== null ? 'object' : archive !== null ? 'members' : withoutManifest;
  const known =
    archive === null
      ? {}
      : { archiveTag: archive.tag, fileCount: archive.files, ...(archive.times && { times: archive.times }) };
  const source = upload === null ? { received: true } : { upload };
  const parameters: RegistrationParameters = { path: file, kind, copy: true, title, ...source, ...known };
  return { kind: 'register', measurementId: id, userId: ownerId, parameters: { ...parameters } };
}

export interface Source {
  readonly path: string;
  readonly kind: SourceKind;
  readonly name: string;
}

/**
 * Resolves a path and checks that it may be registered.
 *
 * @throws HttpProblem
 */
export async function findSource(services: { readonly config: ServiceConfig }, requestedPath: string): Promise<Source> {
  if (!path.isAbsolute(requestedPath) || requestedPath.includes('\0'))
    throw new HttpProblem(422, 'Give the absolute path of a folder, a file or a ZIP archive.', { type: 'bad-path' });
  let real: string;
  let stats;
  try {
    real = await realpath(requestedPath);
    stats = await stat(real);
  } catch (error) {
    throw new HttpProblem(422, `${requestedPath} cannot be registered: ${failureText(error)}.`, {
      type: 'bad-path',
      cause: error,
    });
  }
  if (!stats.isDirectory() && !stats.isFile())
    throw new HttpProblem(422, `${requestedPath} is neither a folder nor a file.`, { type: 'bad-path' });
  await refuseDataDirectory(services, real);
  const name = path.basename(real) || 'disk';
  if (stats.isDirectory()) return { path: real, kind: 'folder', name };
  return { path: real, kind: /\.zip$/i.test(name) ? 'zip' : 'file', name };
}

async function refuseDataDirectory(services: { readonly config: ServiceConfig }, real: string): Promise<void> {
  for (const data of await ownFolders(services.config)) {
    if (isWithin(data, real) || isWithin(real, data)) {
      throw new HttpProblem(
        422,
        `One of ${real} and the data directory ${data} is inside the other. Register a folder elsewhere.`,
        { type: 'data-directory' },
      );
    }
  }
}

function isWithin(folder: string, inner: string): boolean {
  const relative = path.relative(folder, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** Derives a title from the name of a source. */
export function suggestedTitle(source: Source): string {
  const name = source.kind === 'zip' ? source.name.replace(/\.zip$/i, '') : source.name;
  return replaceUnseen((name === '' ? source.name : name).normalize('NFC').slice(0, 200), '\ufffd');
}

/** Derives an unused id from the name of a source. */
export async function freeId(services: Pick<MeasurementStores, 'registrations'>, source: Source): Promise<string> {
  const base = suggestedId(source.kind === 'folder' ? source.name : path.parse(source.name).name);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!(await services.registrations.idTaken(id))) return id;
  }
}

async function reserve(
  services: Pick<MeasurementStores, 'registrations'>,
  request: RegistrationRequest,
  source: Source,
  copy: boolean,
): Promise<string> {
  const title = request.title ?? suggestedTitle(source);
  const root = source.kind === 'file' && !copy ? path.dirname(source.path) : source.path;
  const storage = copy ? 'library' : 'reference';
  for (;;) {
    const id = request.id ?? (await freeId(services, source));
    if (await services.registrations.reserve({ id, title, ownerId: request.ownerId, storage, root })) return id;
    if (request.id !== undefined)
      throw new HttpProblem(409, `There is already a measurement ${request.id}. Choose another id.`, {
        type: 'id-taken',
      });
  }
}
