import { useNavigate, useSearch } from '@tanstack/react-router';
import { useScreen, useSession } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { TabView } from '../../ui/layout/tab-view.tsx';
import screen from '../../ui/layout/screen.module.css';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { DownloadHistory } from '../downloads/download-history.tsx';
import { OutgoingNow } from './outgoing-now.tsx';
import { SharedElsewhere } from './shared-elsewhere.tsx';
import { SharingOptions } from './sharing-options.tsx';
import { SharingSetting } from './sharing-setting.tsx';
import type { SharingSearch } from './sharing-search.ts';
import { SentBefore } from './sent-before.tsx';

/** Sharing on the network, running transfers, and past ones. */
export function SharingScreen() {
  useScreen('sharing');
  const navigate = useNavigate();
  const { tab, view, search = '', page = 1 } = useSearch({ from: '/sharing' });
  const inWindow = useSession().door === 'window';
  const show = (next: SharingSearch): void => void navigate({ to: '/sharing', search: next, replace: true });
  const setSearch = useStable((value: string) =>
    show({ tab: 'before', view: 'transfers', ...(value === '' ? {} : { search: value }) }),
  );
  const setPage = (next: number): void =>
    show({
      tab: 'before',
      view: 'transfers',
      ...(search === '' ? {} : { search }),
      ...(next > 1 ? { page: next } : {}),
    });
  return (
    <Screen
      title="Sharing"
      {...(tab === 'before' && view === 'transfers'
        ? { search: { value: search, label: 'Search past transfers', onChange: setSearch } }
        : {})}
    >
      <TabView
        value={tab ?? 'now'}
        onChange={(value) => show(value === 'before' ? { tab: 'before' } : {})}
        views={[
          {
            value: 'now',
            word: 'Active',
            content: (
              <div className={screen['scroller']}>
                {inWindow ? <SharingSetting /> : <SharedElsewhere />}
                <OutgoingNow />
                {inWindow ? <SharingOptions /> : null}
              </div>
            ),
          },
          {
            value: 'before',
            word: 'History',
            content: (
              <DownloadHistory
                measurementId={null}
                single={view === 'transfers'}
                onSingle={(single) => show({ tab: 'before', ...(single ? { view: 'transfers' } : {}) })}
                transfers={<SentBefore search={search} page={page} onPage={setPage} />}
              />
            ),
          },
        ]}
      />
    </Screen>
  );
}
