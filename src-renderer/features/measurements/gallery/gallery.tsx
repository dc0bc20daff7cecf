import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { whileShown } from '../../../api/events/while-shown.ts';
import type { FileStatus, MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { makeThumbnail } from '../../../preview/thumbnail/make-thumbnail.ts';
import { mayHavePicture } from '../../../preview/thumbnail/may-have-picture.ts';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { useStable } from '../../../ui/hooks/use-stable.ts';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { findFiles, type FoundFiles } from './find-files.ts';
import styles from './gallery.module.css';
import { PictureTile } from './picture-tile.tsx';
import { readPictures, type Picture } from './read-pictures.ts';
import type { Pictures } from './use-pictures.ts';

export interface GalleryProps {
  readonly measurement: Pick<MeasurementDetail, 'id' | 'created_at'>;
  readonly pictures: Pictures;
  /** Whether a preview covers it, which reads alone then. */
  readonly isCovered: boolean;
  readonly onLook: (file: number) => void;
}

/** Small pictures of the first files that have one, read while they are in view. */
export function Gallery({ measurement, pictures, isCovered, onLook }: GalleryProps) {
  const found = useFirstFiles(measurement);
  const files = found.data?.files;
  useReading(measurement.id, files, pictures, isCovered);
  const note = noteOn(found.data);
  return (
    <section aria-label="Pictures of files" className={styles['gallery']}>
      <NotLoaded of={found} className="padded" />
      {files === undefined || files.length === 0 ? null : (
        <ul className={styles['strip']}>
          {files.map((file) => (
            <PictureTile
              key={file.index}
              file={file}
              picture={pictures.pictures.get(file.index)}
              onOpen={() => onLook(file.index)}
            />
          ))}
        </ul>
      )}
      {note === null ? null : (
        <p role="status" className={styles['note']}>
          {note}
        </p>
      )}
    </section>
  );
}

/** The files of the gallery, by the pages of folders that the tree shows too. */
function useFirstFiles({ id, created_at: createdAt }: GalleryProps['measurement']) {
  const { queries } = useApp();
  const client = useQueryClient();
  return useQuery({
    // Not by the topic of measurements: the list of files never changes.
    queryKey: ['gallery', id, createdAt],
    queryFn: async () =>
      findFiles(async (path, after) => client.fetchQuery(queries.folder(id, path, after)), mayHavePicture),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30 * 60_000,
  });
}

/** Reads what is not there yet, as long as the page is in view and nothing covers the gallery. */
function useReading(
  id: string,
  files: readonly FileStatus[] | undefined,
  { pictures, tell }: Pictures,
  isCovered: boolean,
): void {
  const start = useStable((signal: AbortSignal) => {
    const missing = (files ?? []).filter(({ index }) => !isDone(pictures.get(index)));
    const make = async ({ index, path, length }: FileStatus) =>
      makeThumbnail({ url: `/measurements/${encodeURIComponent(id)}/files/${index}`, name: path, length }, signal);
    void readPictures(missing, { make, tell, signal });
  });
  useEffect(() => {
    if (isCovered || files === undefined) return undefined;
    return whileShown(() => {
      const abort = new AbortController();
      start(abort.signal);
      return () => abort.abort();
    });
  }, [isCovered, files, start]);
}

const isDone = (picture: Picture | undefined): boolean => picture?.kind === 'shown' || picture?.kind === 'failed';

function noteOn(found: FoundFiles | undefined): string | null {
  if (found === undefined || found.files.length >= 8) return null;
  const { files, looked, isWhole } = found;
  if (isWhole) return files.length === 0 ? 'No files that can be shown as pictures.' : null;
  return `${files.length === 0 ? 'No pictures among' : 'From'} the first ${countOf(looked, 'file')}; more were not looked at.`;
}
