import { FolderOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { Field, type FieldProps } from '../../ui/controls/field.tsx';
import styles from './settings-screen.module.css';

export interface FolderFieldProps extends Pick<FieldProps, 'label' | 'hint' | 'error'> {
  readonly folder: string | null;
  readonly onChoose: () => Promise<void>;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** A folder of this machine, which the system's dialog chooses. */
export function FolderField({ folder, onChoose, children, ...field }: FolderFieldProps) {
  return (
    <Field {...field}>
      {(wiring) => (
        <div className={styles['folder']}>
          <input {...wiring} readOnly value={folder ?? ''} />
          <Button icon={<FolderOpen aria-hidden />} onClick={() => void onChoose()}>
            Choose
          </Button>
          {children}
        </div>
      )}
    </Field>
  );
}
