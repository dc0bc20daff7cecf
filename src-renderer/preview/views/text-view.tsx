import { shownText } from '../../../src-shared/format/shown-text.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { useTextParts, type ViewProps } from './source.ts';
import styles from './views.module.css';

/** Each part is at most 64 KiB; the page must stay quick. */
const maxParts = 64;

/** A text from its beginning, a part more with each step. */
export function TextView({ source }: ViewProps) {
  const parts = useTextParts(source);
  const pages = parts.data?.pages ?? [];
  const isFull = pages.length >= maxParts && parts.hasNextPage;
  return (
    <ScrollRegion label="Text of the file" className={styles['scroller'] ?? ''}>
      <NotLoaded of={parts} alsoStale className="padded" />
      <pre className={styles['text']}>
        {pages.map(({ text }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- Parts are only ever added at the end.
          <span key={at}>{shownText(text, 131_072)}</span>
        ))}
      </pre>
      {pages.length === 1 && pages[0]?.text === '' ? <p className="padded muted">The file is empty.</p> : null}
      {parts.hasNextPage && !isFull ? (
        <p className="padded">
          <Button busy={parts.isFetchingNextPage} onClick={() => void parts.fetchNextPage()}>
            Go on
          </Button>
        </p>
      ) : null}
      {isFull ? <p className="padded muted">The preview ends here. Download the file to read all of it.</p> : null}
    </ScrollRegion>
  );
}
