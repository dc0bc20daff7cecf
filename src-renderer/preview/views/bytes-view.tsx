import { useState } from 'react';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { PlaceBar } from './place-bar.tsx';
import { useAnswer, type ViewProps } from './source.ts';
import styles from './views.module.css';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';

const rowBytes = 16;
const pageBytes = 4096;

/** The bytes of a file, sixteen a line: place, hexadecimal, and as ASCII. */
export function BytesView({ source }: ViewProps) {
  const [offset, setOffset] = useState(0);
  const settled = useDebounced(offset, 100);
  const part = useAnswer(source, 'bytes', { kind: 'bytes', offset: settled });
  const last = offset + pageBytes;
  return (
    <>
      <PlaceBar
        offset={offset}
        length={source.length}
        before={offset === 0 ? null : Math.max(0, offset - pageBytes)}
        next={last < source.length ? last : null}
        onChange={(to) => setOffset(to - (to % rowBytes))}
      />
      <ScrollRegion label="Bytes of the file" className={styles['scroller'] ?? ''}>
        <NotLoaded of={part} alsoStale className="padded" />
        <pre className={styles['bytes']}>{part.data === undefined ? '' : dump(part.data.offset, part.data.bytes)}</pre>
      </ScrollRegion>
    </>
  );
}

function dump(offset: number, bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += rowBytes) {
    const row = Array.from(bytes.subarray(at, at + rowBytes));
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const letters = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·')).join('');
    lines.push(`${(offset + at).toString(16).padStart(8, '0')}  ${hex.padEnd(rowBytes * 3)} ${letters}`);
  }
  return lines.join('\n');
}
