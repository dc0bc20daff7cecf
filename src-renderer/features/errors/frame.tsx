import { useState } from 'react';
import type { StackFrame } from '../../api/types.ts';
import { countOf } from '../../ui/format/quantities.ts';
import { lineText, plainText } from '../../ui/format/shown-text.ts';
import { placeOf } from './stack-text.ts';
import styles from './stack-tab.module.css';
import { Values } from './values.tsx';

interface Line {
  readonly number: number | null;
  readonly text: string;
  readonly current: boolean;
}

const longestLine = 400;

function linesOf(frame: StackFrame): Line[] {
  const before = frame.pre_context;
  const numberAt = (offset: number): number | null => (frame.line === null ? null : frame.line + offset);
  const cut = (text: string): string => plainText(text.length > longestLine ? `${text.slice(0, longestLine)}…` : text);
  return [
    ...before.map((text, position) => ({ number: numberAt(position - before.length), text: cut(text), current: false })),
    ...(frame.context_line === null ? [] : [{ number: frame.line, text: cut(frame.context_line), current: true }]),
    ...frame.post_context.map((text, position) => ({ number: numberAt(position + 1), text: cut(text), current: false })),
  ];
}

/** One frame: where it is, the lines around it, and the local variables, folded. */
export function Frame({ frame, open }: { readonly frame: StackFrame; readonly open: boolean }) {
  const [isOpen, setIsOpen] = useState(open);
  const lines = linesOf(frame);
  const vars = Object.entries(frame.vars ?? {});
  const head = (
    <>
      <bdi className={styles['function']}>{lineText(frame.function ?? '?')}</bdi>
      <bdi className={styles['place']} title={lineText(frame.abs_path ?? frame.module ?? '', 1000)}>
        {placeOf(frame)}
      </bdi>
      {frame.in_app ? <span className={styles['badge']}>in app</span> : null}
    </>
  );
  if (lines.length === 0 && vars.length === 0) return <li className={styles['bare']}>{head}</li>;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className={styles['summary']}>{head}</summary>
        {isOpen ? (
          <>
            {lines.length === 0 ? null : (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be reachable by the keyboard.
              <div className={styles['code']} role="group" aria-label="Source" tabIndex={0}>
                {lines.map((line, position) => (
                  // oxlint-disable-next-line react/no-array-index-key -- A line is its position.
                  <div key={position} className={line.current ? styles['current'] : styles['source']}>
                    <span className={styles['number']}>{line.number ?? ''}</span>
                    <code>{line.text === '' ? ' ' : line.text}</code>
                  </div>
                ))}
              </div>
            )}
            {vars.length === 0 ? null : (
              <details className={styles['vars']}>
                <summary>{countOf(vars.length, 'local variable')}</summary>
                <Values values={vars} />
              </details>
            )}
          </>
        ) : null}
      </details>
    </li>
  );
}
