import type { Serving } from '../download/serving.ts';
import type { FilesStore } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { entriesOf, type Entry } from './entries.ts';
import { davPath, encodedPath } from './href.ts';
import { describedFile, type Described } from './properties.ts';
import type { FolderResource, Resource } from './resource.ts';

type Place = Pick<Serving, 'basePath'>;

/** Describes the folder of all measurements. */
function describedRoot({ basePath }: Place): Described {
  return { href: `${basePath()}${davPath}/`, name: 'dav', createdAt: null, changedAt: null, file: null };
}

/** Describes a measurement, or a folder of one by its path with a slash at its end. */
function describedFolder({ basePath }: Place, measurement: MeasurementRow, prefix: string): Described {
  const time = measurement.registered_at ?? measurement.created_at;
  return {
    href: `${basePath()}${davPath}/${measurement.id}/${encodedPath(prefix)}`,
    name: prefix.split('/').at(-2) ?? measurement.id,
    createdAt: time,
    changedAt: time,
    file: null,
  };
}

/** Describes what an address names. */
export function describedResource(place: Place, resource: Resource): Described {
  if (resource.kind === 'root') return describedRoot(place);
  if (resource.kind === 'folder') return describedFolder(place, resource.measurement, resource.prefix);
  const { measurement, file } = resource;
  return describedFile(`${place.basePath()}${davPath}/${measurement.id}/${encodedPath(file.path)}`, file);
}

function describedEntry(place: Place, { measurement, prefix }: FolderResource, entry: Entry): Described {
  return entry.kind === 'folder'
    ? describedFolder(place, measurement, `${prefix}${entry.name}/`)
    : describedResource(place, { kind: 'file', measurement, file: entry.file });
}

/** Yields descriptions of what is directly in a folder, in pages. */
export async function* childrenOf(
  place: Place,
  files: Pick<FilesStore, 'from' | 'firstNotBefore'>,
  folder: FolderResource,
): AsyncGenerator<readonly Described[]> {
  for await (const entries of entriesOf(files, folder))
    yield entries.map((entry) => describedEntry(place, folder, entry));
}

/** Yields descriptions of measurements, in pages. */
export async function* describedMeasurements(
  place: Place,
  pages: AsyncIterable<readonly MeasurementRow[]>,
): AsyncGenerator<readonly Described[]> {
  for await (const rows of pages) yield rows.map((row) => describedFolder(place, row, ''));
}
