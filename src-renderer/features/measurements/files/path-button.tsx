import type { ComponentProps } from 'react';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import styles from './path-button.module.css';

export interface PathButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children' | 'type'> {
  /** The folders before the name, with the slash at their end; empty where they are not shown. */
  readonly folder: string;
  readonly name: string;
  /** Whether a long path takes several lines; otherwise it is cut. */
  readonly isWhole?: boolean;
}

/** The path of a file or folder in a list, which opens it. */
export function PathButton({ folder, name, isWhole = false, ...rest }: PathButtonProps) {
  return (
    <button type="button" className={`${styles['path']} ${isWhole ? styles['whole'] : ''}`} {...rest}>
      {folder === '' ? null : <span className={styles['folder']}>{plainText(folder)}</span>}
      <span className={styles['name']}>{plainText(name)}</span>
    </button>
  );
}
