import { Tabs } from '@base-ui/react/tabs';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useScreen, useSession } from '../../context/context.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import screen from '../../ui/layout/screen.module.css';
import tabs from '../../ui/layout/tabs.module.css';
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
  return (
    <section className={screen['screen']} aria-label="Sharing">
      <PageHeader
        title="Sharing"
        {...(tab === 'before' && view === 'transfers'
          ? { search: { value: search, label: 'Search past transfers', onChange: setSearch } }
          : {})}
      />
      <Tabs.Root
        className={tabs['tabs']}
        value={tab ?? 'now'}
        onValueChange={(value) => show(value === 'before' ? { tab: 'before' } : {})}
      >
        <Tabs.List className={tabs['list']} activateOnFocus>
          <Tabs.Tab value="now" className={tabs['tab']}>
            Active
          </Tabs.Tab>
          <Tabs.Tab value="before" className={tabs['tab']}>
            History
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="now" className={tabs['panel']} tabIndex={-1}>
          <div className={screen['scroller']}>
            {inWindow ? <SharingSetting /> : <SharedElsewhere />}
            <OutgoingNow />
            {inWindow ? <SharingOptions /> : null}
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="before" className={tabs['panel']} tabIndex={-1}>
          <DownloadHistory
            measurementId={null}
            single={view === 'transfers'}
            onSingle={(single) => show({ tab: 'before', ...(single ? { view: 'transfers' } : {}) })}
            transfers={
              <SentBefore
                search={search}
                page={page}
                onPage={(next) =>
                  show({
                    tab: 'before',
                    view: 'transfers',
                    ...(search === '' ? {} : { search }),
                    ...(next > 1 ? { page: next } : {}),
                  })
                }
              />
            }
          />
        </Tabs.Panel>
      </Tabs.Root>
    </section>
  );
}
