import { useEffect, useRef, useState } from 'react';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { useAnswer, type ViewProps } from './source.ts';
import styles from './views.module.css';

/** An SVG in an image element: never a part of the page, whose scripts and links do nothing there. */
export function DrawingView({ source }: ViewProps) {
  const drawing = useAnswer(source, 'drawing', { kind: 'drawing' });
  const svg = drawing.data?.svg;
  const image = useRef<HTMLImageElement>(null);
  const [isDamaged, setDamaged] = useState(false);
  useEffect(() => {
    if (svg === undefined || image.current === null) return undefined;
    const made = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    image.current.src = made;
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  return (
    <ScrollRegion label="Picture" className={styles['scroller'] ?? ''}>
      <NotLoaded of={drawing} alsoStale className="padded" />
      {isDamaged ? (
        <p className={styles['said']}>The drawing is damaged: it cannot be drawn. See it as a text.</p>
      ) : null}
      {svg === undefined || isDamaged ? null : (
        <img ref={image} alt="The drawing" className={styles['drawing']} onError={() => setDamaged(true)} />
      )}
    </ScrollRegion>
  );
}
