import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { BellPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import type { NotificationRule } from '../../api/requests/types.ts';
import { useApp, useCommand, useScreen } from '../../context/context.ts';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import { useFocusAfterDetail } from '../../ui/hooks/use-focus-after-detail.ts';
import { coveredQuery, useMedia } from '../../ui/hooks/use-media.ts';
import { Inspector } from '../../ui/layout/inspector.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import screen from '../../ui/layout/screen.module.css';
import { matchWords } from '../../ui/lists/match-words.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { NothingFound } from '../../ui/notes/nothing-found.tsx';
import { wordsOfKinds } from '../../words/notification-words.ts';
import { NoRules } from './no-rules.tsx';
import { RuleDetail } from './rule-detail.tsx';
import { RuleDialogs, type OpenDialog } from './rule-dialogs.tsx';
import { RuleTable } from './rule-table.tsx';
import { TestDialog } from './test-dialog.tsx';
import { usePauseRule } from './use-pause-rule.ts';
import { useRuleTest } from './use-rule-test.ts';
import { useRowCursor } from '../../ui/lists/use-chosen-rows.ts';

/** The user's rules: what is told, where to, and how that goes. */
export function NotificationsScreen() {
  useScreen('notifications');
  const { queries } = useApp();
  const navigate = useNavigate();
  const covered = useMedia(coveredQuery);
  const rules = useQuery(queries.notificationRules());
  const choices = useQuery(queries.notificationChoices());
  const { ruleId } = useParams({ strict: false });
  const [search, setSearch] = useState('');
  const cursor = useRowCursor();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { test, start, forget } = useRuleTest();
  const pause = usePauseRule();
  const list = useRef<HTMLElement>(null);

  const all = rules.data ?? [];
  const open = all.find(({ id }) => String(id) === ruleId);
  const target = open ?? all.find(({ id }) => id === cursor.current);
  const shown = all.filter(({ name, to, kinds }) => matchWords(`${name} ${to} ${wordsOfKinds(kinds)}`, search));
  const close = (): void => void navigate({ to: '/account/notifications' });
  const openRule = (id: number): void =>
    void navigate({
      to: '/account/notifications/$ruleId',
      params: { ruleId: String(id) },
      replace: ruleId !== undefined,
    });
  useFocusAfterDetail(open?.id ?? null, () =>
    list.current?.querySelector<HTMLElement>('tbody tr[tabindex="0"]')?.focus(),
  );
  useRuleCommands(target, { onOpen: setDialog, onTest: start, onPause: pause });
  useCommand('close-inspector', ruleId === undefined ? null : close);
  const add = (
    <CommandButton look="primary" icon={<BellPlus aria-hidden />} command="add-notification-rule">
      Add rule
    </CommandButton>
  );

  return (
    <>
      <section ref={list} className={screen['screen']} aria-label="Notifications" inert={covered && open !== undefined}>
        <PageHeader
          title="Notifications"
          count={rules.data === undefined ? undefined : formatCount(all.length)}
          search={{ value: search, label: 'Search rules', onChange: setSearch }}
          action={add}
        />
        <NotLoaded of={rules} className={screen['note']} />
        {rules.data === undefined ? null : all.length === 0 ? (
          <NoRules action={add} />
        ) : shown.length === 0 ? (
          <NothingFound what="rule" search={search} onClear={() => setSearch('')} />
        ) : (
          <RuleTable
            rules={shown}
            current={open?.id ?? cursor.current}
            onCurrent={cursor.onCurrent}
            onOpen={openRule}
            onPause={pause}
          />
        )}
      </section>
      {open === undefined ? null : (
        <Inspector heading="Notifications" label={`Rule ${open.name}`}>
          <RuleDetail
            key={open.id}
            rule={open}
            choices={choices.data}
            onClose={close}
            onTest={() => start(open)}
            onEdit={() => setDialog({ kind: 'edit', rule: open })}
            onPause={() => pause(open)}
            onRotate={() => setDialog({ kind: 'rotate', rule: open })}
            onRemove={() => setDialog({ kind: 'remove', rule: open })}
          />
        </Inspector>
      )}
      <RuleDialogs dialog={dialog} rules={all} onClose={() => setDialog(null)} onAdded={openRule} onRemoved={close} />
      <TestDialog
        test={test}
        hasMailServer={choices.data?.mail}
        onAgain={() => test !== null && start(test.rule)}
        onClose={forget}
      />
    </>
  );
}

interface RuleCommands {
  readonly onOpen: (dialog: OpenDialog) => void;
  readonly onTest: (rule: NotificationRule) => void;
  readonly onPause: (rule: NotificationRule) => void;
}

/** The shortcuts of the screen; those for one rule act on the open one, or on that with the cursor. */
function useRuleCommands(target: NotificationRule | undefined, { onOpen, onTest, onPause }: RuleCommands): void {
  const onTarget = (act: (rule: NotificationRule) => void) => (target === undefined ? null : () => act(target));
  useCommand('add-notification-rule', () => onOpen({ kind: 'add' }));
  useCommand(
    'edit-notification-rule',
    onTarget((rule) => onOpen({ kind: 'edit', rule })),
  );
  useCommand('test-notification-rule', onTarget(onTest));
  useCommand('pause-notification-rule', onTarget(onPause));
  useCommand(
    'remove-notification-rule',
    onTarget((rule) => onOpen({ kind: 'remove', rule })),
  );
}
