import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import type { Fetch, FetchPieces } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { formatBytes } from '../../../../src-shared/format/quantities.ts';
import { Menu } from '../../../ui/controls/menu.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { pieceCells, pieceWords, type PieceState } from './piece-cells.ts';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import styles from './transfer-detail.module.css';

const columns = 32;
const maxCells = columns * 16;
const step = 10;
const offered = 20;

const looks: Readonly<Record<PieceState, string>> = {
  verified: 'verified',
  done: 'done',
  part: 'part',
  coming: 'coming',
  open: '',
};
const legend: readonly { readonly state: PieceState; readonly word: string }[] = [
  { state: 'verified', word: 'verified' },
  { state: 'done', word: 'on the disk' },
  { state: 'part', word: 'partly' },
  { state: 'coming', word: 'on the way' },
  { state: 'open', word: 'not yet' },
];

export interface PiecesTabProps {
  readonly fetch: Fetch;
  /** The chosen file; without one, the first that is partly fetched. */
  readonly file: number | null;
  readonly onFile: (index: number) => void;
}

/** The fetched parts of a file, and those in flight. */
export function PiecesTab({ fetch, file, onFile }: PiecesTabProps) {
  const { queries } = useApp();
  const running = fetch.state === 'running';
  const open = useQuery(queries.fetchFiles(fetch.id, 'open', 0, running));
  const partial = open.data?.items.filter((one) => one.state === 'partial') ?? [];
  const index = file ?? partial[0]?.index ?? null;
  const pieces = useQuery({ ...queries.fetchPieces(fetch.id, index ?? 0, running), enabled: index !== null });
  const path = pieces.data?.path ?? open.data?.items.find((one) => one.index === index)?.path ?? null;
  if (index === null) {
    return open.data === undefined ? null : (
      <EmptyState title="No file is partly fetched.">
        {fetch.state === 'done'
          ? 'Every file is complete and verified.'
          : 'Pieces are shown while a file is being fetched.'}
      </EmptyState>
    );
  }
  return (
    <ScrollRegion className={`${styles['body']} ${styles['pieces']}`} label="Pieces">
      <div>
        {partial.length < 2 ? (
          <code>{path ?? `File ${index}`}</code>
        ) : (
          <Menu
            entries={partial.slice(0, offered).map((one) => ({
              kind: 'item',
              id: String(one.index),
              label: one.path,
              checked: one.index === index,
              run: () => onFile(one.index),
            }))}
            trigger={
              <Button>
                {path ?? `File ${index}`}
                <ChevronDown aria-hidden />
              </Button>
            }
          />
        )}
      </div>
      {pieces.error === null || pieces.data !== undefined ? null : <ProblemNote error={pieces.error} />}
      {pieces.data === undefined ? null : <PieceMap pieces={pieces.data} />}
    </ScrollRegion>
  );
}

function PieceMap({ pieces }: { readonly pieces: FetchPieces }) {
  const units = useUnits();
  const cells = pieceCells(pieces, maxCells);
  const words = pieceWords(pieces);
  const size = cells.length === 0 ? null : formatBytes((pieces.length ?? 0) / cells.length, units);
  return (
    <>
      {cells.length === 0 ? null : (
        <svg
          className={styles['map']}
          viewBox={`0 0 ${columns * step} ${Math.ceil(cells.length / columns) * step}`}
          role="img"
          aria-label={words}
        >
          {cells.map((state, cell) => (
            <rect
              // oxlint-disable-next-line react/no-array-index-key -- A cell is its place.
              key={cell}
              className={styles[looks[state]] ?? ''}
              x={(cell % columns) * step + 0.5}
              y={Math.floor(cell / columns) * step + 0.5}
              width={step - 1.5}
              height={step - 1.5}
              rx={1.5}
            />
          ))}
        </svg>
      )}
      <p>
        {words}.{size === null ? '' : ` One square is ${size}.`}
      </p>
      <p className={styles['legend']} aria-hidden>
        {legend.map(({ state, word }) => (
          <span key={state}>
            <svg viewBox="0 0 10 10" className={styles['map']}>
              <rect className={styles[looks[state]] ?? ''} width={10} height={10} rx={2} />
            </svg>
            {word}
          </span>
        ))}
      </p>
    </>
  );
}
