import { useEffect, useRef } from 'react';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { useAnswer, type ViewProps } from './source.ts';
import styles from './views.module.css';

/** A decoded picture on a canvas. */
export function PictureView({ source }: ViewProps) {
  const picture = useAnswer(source, 'picture', { kind: 'picture' });
  const canvas = useRef<HTMLCanvasElement>(null);
  const bitmap = picture.data?.bitmap;
  useEffect(() => {
    if (canvas.current === null || bitmap === undefined) return;
    canvas.current.width = bitmap.width;
    canvas.current.height = bitmap.height;
    canvas.current.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  const { width = 0, height = 0 } = source.content.picture ?? {};
  return (
    <ScrollRegion label="Picture" className={styles['scroller'] ?? ''}>
      <p className={styles['said']}>
        {width} × {height} pixels
      </p>
      <NotLoaded of={picture} alsoStale className="padded" />
      {bitmap === undefined ? null : (
        <canvas
          ref={canvas}
          role="img"
          aria-label={`The picture, ${width} × ${height} pixels`}
          className={styles['picture']}
        />
      )}
    </ScrollRegion>
  );
}
