import type { ReactNode } from 'react';
import { NotLoaded, type LoadedQuery } from '../../../ui/notes/not-loaded.tsx';
import styles from '../settings-screen.module.css';

export interface SettingGroupProps<Data> {
  readonly heading: string;
  readonly of: LoadedQuery & { readonly data: Data | undefined };
  readonly className?: string | undefined;
  readonly children: (data: Data) => ReactNode;
}

/** A group of settings, or below its heading why they could not be loaded. */
export function SettingGroup<Data>({ heading, of, className = '', children }: SettingGroupProps<Data>) {
  return (
    <div className={`${styles['group']} ${className}`}>
      {of.data === undefined ? (
        <>
          <h2>{heading}</h2>
          <NotLoaded of={of} />
        </>
      ) : (
        children(of.data)
      )}
    </div>
  );
}
