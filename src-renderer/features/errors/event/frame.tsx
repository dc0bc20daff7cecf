import { useContext, useState } from 'react';
import type { StackFrame } from '../../../api/requests/types.ts';
import { languageOf, tokensOf, type Language, type OpenText, type Token } from './code-tokens.ts';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { Unfolded } from '../../../ui/hooks/printing.ts';
import { lineText, plainText } from '../../../../src-shared/format/shown-text.ts';
import { functionOf, placeOf } from './stack-text.ts';
import styles from './stack-tab.module.css';
import { Values } from './values.tsx';

interface Line {
  readonly number: number | null;
  readonly text: string;
  readonly current: boolean;
}

const maxLineLength = 400;

function linesOf(frame: StackFrame): Line[] {
  const before = frame.pre_context;
  const numberAt = (offset: number): number | null => (frame.line === null ? null : frame.line + offset);
  const cut = (text: string): string =>
    plainText(text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text);
  return [
    ...before.map((text, position) => ({
      number: numberAt(position - before.length),
      text: cut(text),
      current: false,
    })),
    ...(frame.context_line === null ? [] : [{ number: frame.line, text: cut(frame.context_line), current: true }]),
    ...frame.post_context.map((text, position) => ({
      number: numberAt(position + 1),
      text: cut(text),
      current: false,
    })),
  ];
}

/** The lines of a frame with their tokens: an open string or comment continues on the next line. */
function colouredLines(
  lines: readonly Line[],
  language: Language | null,
): readonly (Line & { readonly tokens: readonly Token[] })[] {
  let open: OpenText = null;
  return lines.map((line) => {
    const { tokens, next } = tokensOf(line.text, language, open);
    open = next;
    return { ...line, tokens };
  });
}

function Code({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map(({ kind, text }, position) =>
    kind === 'plain' ? (
      text
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- The tokens of a line never change.
      <span key={position} className={styles[kind]}>
        {text}
      </span>
    ),
  );
}

/** One frame: where it is, the lines around it, and the local variables, folded. */
export function Frame({
  frame,
  platform,
  open,
}: {
  readonly frame: StackFrame;
  readonly platform: string;
  readonly open: boolean;
}) {
  const unfolded = useContext(Unfolded);
  const [isOpen, setIsOpen] = useState(open || unfolded);
  const lines = linesOf(frame);
  const vars = Object.entries(frame.vars ?? {});
  const head = (
    <>
      <bdi className={styles['function']}>{functionOf(frame)}</bdi>
      <bdi className="muted" title={lineText(frame.abs_path ?? frame.module ?? '', 1000)}>
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
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard.
              <div className={styles['code']} role="group" aria-label="Source" tabIndex={0}>
                {colouredLines(lines, languageOf(frame.filename ?? frame.abs_path ?? '', platform)).map(
                  (line, position) => (
                    // oxlint-disable-next-line react/no-array-index-key -- A line is its position.
                    <div key={position} className={line.current ? styles['current'] : styles['source']}>
                      <span className={styles['number']}>{line.number ?? ''}</span>
                      <code>{line.text === '' ? ' ' : <Code tokens={line.tokens} />}</code>
                    </div>
                  ),
                )}
              </div>
            )}
            {vars.length === 0 ? null : (
              <details className={styles['vars']} open={unfolded}>
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
