import { useStore } from 'zustand';
import type { ErrorListOptions } from '../../../api/queries/error-queries.ts';
import { useApp } from '../../../context/context.ts';
import { ContextMenu } from '../../../ui/controls/menu.tsx';
import screen from '../../../ui/layout/screen.module.css';
import { BulkBar } from '../../../ui/lists/bulk-bar.tsx';
import { noRows } from '../../../ui/lists/row-selection.ts';
import { NotLoaded, type NotLoadedProps } from '../../../ui/notes/not-loaded.tsx';
import type { ReactNode } from 'react';
import { ErrorList, type ErrorListProps } from './error-list.tsx';
import { ErrorMenu, errorMenu } from './error-menu.tsx';

export interface ErrorAreaProps extends Omit<ErrorListProps, 'sort' | 'listKey'>, Pick<NotLoadedProps, 'alsoStale'> {
  readonly list: NotLoadedProps['of'];
  readonly options: ErrorListOptions;
  /** Shown in place of an empty list. */
  readonly empty: ReactNode;
}

/** The actions on selected errors, and below them the list, why it is empty, or why it is not there. */
export function ErrorArea({ list, alsoStale, options, empty, ...rows }: ErrorAreaProps) {
  const { commands, onMac } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  return (
    <>
      <BulkBar
        label="With the selected errors"
        count={rows.selection.ids.size}
        actions={errorMenu(handlers, onMac)}
        onClear={() => rows.onSelect(noRows)}
      />
      <NotLoaded of={list} alsoStale={alsoStale ?? false} className="padded" />
      {list.data !== undefined && rows.errors.length === 0 ? empty : null}
      {rows.errors.length > 0 ? (
        <ContextMenu className={screen['area']} menu={<ErrorMenu />}>
          <ErrorList sort={options.sort} listKey={`${options.query} ${options.sort}`} {...rows} />
        </ContextMenu>
      ) : null}
    </>
  );
}
