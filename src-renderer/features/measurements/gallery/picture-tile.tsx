import { LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { FileStatus } from '../../../api/requests/types.ts';
import { curveBox } from '../../../preview/thumbnail/curve-path.ts';
import type { Thumbnail } from '../../../preview/thumbnail/make-thumbnail.ts';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { baseName } from '../files/file-address.ts';
import { KindIcon } from '../files/kind-icon.tsx';
import styles from './gallery.module.css';
import type { Picture } from './read-pictures.ts';

export interface PictureTileProps {
  readonly file: FileStatus;
  readonly picture: Picture | undefined;
  readonly onOpen: () => void;
}

/** The small picture of a file, or why it has none; opens its preview. */
export function PictureTile({ file, picture, onOpen }: PictureTileProps) {
  const path = plainText(file.path);
  const why = picture?.kind === 'failed' ? plainText(picture.reason) : null;
  return (
    <li className={styles['item']}>
      <button
        type="button"
        className={styles['tile']}
        aria-label={why === null ? path : `${path}, no picture: ${why}`}
        aria-busy={picture?.kind === 'reading' || undefined}
        title={why === null ? path : `${path}\n${why}`}
        onClick={onOpen}
      >
        <span className={styles['frame']}>
          {picture?.kind === 'shown' ? (
            <Drawn thumbnail={picture.thumbnail} />
          ) : (
            <>
              <KindIcon path={file.path} />
              {picture?.kind === 'reading' ? <LoaderCircle className="turning" aria-hidden /> : null}
              {why === null ? null : <span className={styles['none']}>No picture</span>}
            </>
          )}
        </span>
        <span className={styles['name']}>{plainText(baseName(file.path))}</span>
      </button>
    </li>
  );
}

function Drawn({ thumbnail }: { readonly thumbnail: Thumbnail }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const bitmap = thumbnail.kind === 'picture' ? thumbnail.bitmap : null;
  useEffect(() => {
    if (canvas.current === null || bitmap === null) return;
    canvas.current.width = bitmap.width;
    canvas.current.height = bitmap.height;
    canvas.current.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  if (thumbnail.kind === 'picture') return <canvas ref={canvas} className={styles['picture']} aria-hidden />;
  return (
    <svg
      className={styles['curve']}
      viewBox={`0 0 ${curveBox.width} ${curveBox.height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path d={thumbnail.path} />
    </svg>
  );
}
