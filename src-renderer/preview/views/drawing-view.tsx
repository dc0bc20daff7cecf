import { useMemo, useState } from 'react';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { useAnswer, type ViewProps } from './source.ts';
import styles from './views.module.css';

/** An SVG in an image element: never a part of the page, whose scripts and links do nothing there. */
export function DrawingView({ source }: ViewProps) {
  const drawing = useAnswer(source, 'drawing', { kind: 'drawing' });
  const svg = drawing.data?.svg;
  const [isDamaged, setDamaged] = useState(false);
  const address = useMemo(
    () => (svg === undefined ? undefined : `data:image/svg+xml,${encodeURIComponent(svg)}`),
    [svg],
  );
  return (
    <ScrollRegion label="Picture" className={styles['scroller'] ?? ''}>
      <NotLoaded of={drawing} alsoStale className="padded" />
      {isDamaged ? (
        <p className={styles['said']}>The drawing is damaged: it cannot be drawn. See it as a text.</p>
      ) : null}
      {address === undefined || isDamaged ? null : (
        <img src={address} alt="The drawing" className={styles['drawing']} onError={() => setDamaged(true)} />
      )}
    </ScrollRegion>
  );
}
