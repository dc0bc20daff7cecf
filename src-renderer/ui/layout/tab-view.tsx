import { Tabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import tabs from './tabs.module.css';

export interface TabViewProps<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Null for a tab that this user does not have. */
  readonly views: readonly (TabOf<Value> | null)[];
  /** Whether the Tab key stops at the panel, before what it contains. */
  readonly stops?: boolean;
  readonly className?: string | undefined;
}

interface TabOf<Value> {
  readonly value: Value;
  readonly word: ReactNode;
  readonly content: ReactNode;
}

/** Tabs above the view of the chosen one, which fills the rest of the column. */
export function TabView<Value extends string>(props: TabViewProps<Value>) {
  const { value: chosen, onChange, views, stops = false, className = '' } = props;
  const shown = views.filter((view) => view !== null);
  return (
    <Tabs.Root
      value={chosen}
      onValueChange={(value: Value) => onChange(value)}
      className={`${tabs['tabs']} ${className}`}
    >
      <Tabs.List className={tabs['list']} activateOnFocus>
        {shown.map(({ value, word }) => (
          <Tabs.Tab key={value} value={value} className={tabs['tab']}>
            {word}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value} className={tabs['panel']} {...(stops ? {} : { tabIndex: -1 })}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
