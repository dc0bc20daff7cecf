import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { copyText } from './clipboard.ts';
import styles from './copy-button.module.css';

export interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** Shown as a word beside the icon. */
  readonly word?: string;
  readonly small?: boolean;
  /** Replaces plain copying, for secrets. */
  readonly copy?: (text: string) => Promise<void>;
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label, word, small = false, copy = copyText }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none');
  useEffect(() => {
    if (outcome === 'none') return undefined;
    const timer = setTimeout(() => setOutcome('none'), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);

  const run = (): void => {
    copy(text).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  };
  const icon = outcome === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />;
  const said = outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'It could not be copied' : label;
  return (
    <span className={small ? styles['small'] : styles['copy']}>
      {word === undefined ? (
        <IconButton label={said} icon={icon} onClick={run} />
      ) : (
        <Button icon={icon} onClick={run}>
          {outcome === 'copied' ? 'Copied' : word}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {outcome === 'none' ? '' : said}
      </span>
    </span>
  );
}
