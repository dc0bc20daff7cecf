import { ArrowLeft, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import { narrowQuery, useMedia } from '../hooks/use-media.ts';
import detail from './detail.module.css';

export interface DetailHeadProps {
  readonly title: string;
  /** How a title is drawn that has no room. */
  readonly className?: string | undefined;
  /** Buttons beside the title. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** The head of an inspector: its title, and the way back to the list. */
export function DetailHead({ title, className = detail['title'], children, onClose }: DetailHeadProps) {
  const narrow = useMedia(narrowQuery);
  return (
    <header className={detail['head']}>
      {narrow ? <IconButton label="Back to the list" icon={<ArrowLeft />} onClick={onClose} /> : null}
      <h2 className={className} title={title}>
        {title}
      </h2>
      {children}
      {narrow ? null : <IconButton label="Close the inspector" icon={<X />} onClick={onClose} />}
    </header>
  );
}
