import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FolderSearch } from 'lucide-react';
import { useCallback, useState } from 'react';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import type { CaptureRunList } from '../../api/queries/capture-queries.ts';
import type { CaptureRule } from '../../api/requests/types.ts';
import { useApp, useCommand, useScreen } from '../../context/context.ts';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import { Screen } from '../../ui/layout/screen.tsx';
import screen from '../../ui/layout/screen.module.css';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { readCaptureSearch } from './runs/capture-search.ts';
import { RuleDialogs, type AskedOfRule } from './rules/rule-dialogs.tsx';
import { RuleList } from './rules/rule-list.tsx';
import { RunList } from './runs/run-list.tsx';

const watchButton = (
  <CommandButton look="primary" icon={<FolderSearch aria-hidden />} command="watch-folder">
    Watch a folder…
  </CommandButton>
);

/** Watched folders, and the runs that were found in them. */
export function CaptureScreen() {
  useScreen('capture');
  const { queries } = useApp();
  const rules = useQuery(queries.captures());
  const [shown, show] = useShownRuns();
  const [asked, setAsked] = useState<AskedOfRule | null>(null);
  useCommand('watch-folder', () => setAsked({ kind: 'add' }));
  const onSearch = useCallback((search: string): void => show({ search, page: 1 }), [show]);
  const has = rules.data !== undefined && rules.data.length > 0;
  return (
    <Screen
      title="Capture"
      count={rules.data === undefined ? undefined : formatCount(rules.data.length)}
      {...(has ? { search: { value: shown.search, label: 'Search runs', onChange: onSearch } } : {})}
      action={watchButton}
    >
      <NotLoaded of={rules} className={screen['note']} />
      {rules.data === undefined ? null : has ? (
        <RunList rules={rules.data} shown={shown} onShow={show}>
          <RuleList rules={rules.data} shown={shown} onShow={(next) => show({ ...next, page: 1 })} onAsk={setAsked} />
        </RunList>
      ) : (
        <NoRules />
      )}
      <RuleDialogs
        asked={asked}
        onClose={() => setAsked(null)}
        onRemoved={({ id }: CaptureRule) => (shown.rule === id ? show({ rule: null, page: 1 }) : undefined)}
      />
    </Screen>
  );
}

function NoRules() {
  return (
    <EmptyState
      icon={<FolderSearch aria-hidden />}
      title="Watch the folder that an instrument writes into."
      action={watchButton}
    >
      Each run is registered as soon as it is complete, and can be copied to a server, without a hand.
    </EmptyState>
  );
}

/** Which runs the address asks for, and how to change that. */
function useShownRuns(): readonly [CaptureRunList, (change: Partial<CaptureRunList>) => void] {
  const navigate = useNavigate();
  // The router also passes on parameters that were not validated.
  const {
    rule = null,
    filter = 'all',
    search = '',
    page = 1,
  } = readCaptureSearch({
    ...useSearch({ from: '/capture' }),
  });
  const show = useCallback(
    (change: Partial<CaptureRunList>): void =>
      void navigate({
        to: '/capture',
        search: (before) => readCaptureSearch({ ...readCaptureSearch({ ...before }), ...change }),
        replace: true,
      }),
    [navigate],
  );
  return [{ rule, filter, search, page }, show];
}
