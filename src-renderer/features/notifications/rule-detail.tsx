import { useQuery } from '@tanstack/react-query';
import { KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import type { NotificationChoices, NotificationRule } from '../../api/requests/types.ts';
import { useApp, useSession } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Fact } from '../../ui/figures/fact.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { DetailHead } from '../../ui/layout/detail-head.tsx';
import { Note } from '../../ui/notes/note.tsx';
import facts from '../../ui/styles/facts.module.css';
import { useNow } from '../../ui/hooks/use-now.ts';
import { allKinds, clockWords, digestWords, kindWords, quietWords, remedyOf } from '../../words/notification-words.ts';
import { DeliveryList } from './delivery-list.tsx';
import { RuleState } from './rule-state.tsx';
import styles from './rule-detail.module.css';

export interface RuleDetailProps {
  readonly rule: NotificationRule;
  /** Undefined until they are loaded. */
  readonly choices: NotificationChoices | undefined;
  readonly onClose: () => void;
  readonly onTest: () => void;
  readonly onEdit: () => void;
  readonly onPause: () => void;
  readonly onRotate: () => void;
  readonly onRemove: () => void;
}

/** One rule: its settings, how its last attempt went, and its deliveries. */
export function RuleDetail({ rule, choices, onClose, ...on }: RuleDetailProps) {
  return (
    <>
      <DetailHead title={rule.name} onClose={onClose} />
      <div className={styles['body']}>
        <div className="row">
          <Button icon={<Send aria-hidden />} onClick={on.onTest}>
            Send a test
          </Button>
          <Button icon={<Pencil aria-hidden />} onClick={on.onEdit}>
            Edit
          </Button>
          <Button icon={rule.paused ? <Play aria-hidden /> : <Pause aria-hidden />} onClick={on.onPause}>
            {rule.paused ? 'Resume' : 'Pause'}
          </Button>
          {rule.channel === 'webhook' ? (
            <Button icon={<KeyRound aria-hidden />} onClick={on.onRotate}>
              Rotate secret
            </Button>
          ) : null}
          <Button icon={<Trash2 aria-hidden />} onClick={on.onRemove}>
            Remove
          </Button>
        </div>
        {rule.failure === null ? null : <Failure rule={rule} failure={rule.failure} hasMail={choices?.mail ?? true} />}
        <RuleFacts rule={rule} choices={choices} />
        <DeliveryList rule={rule.id} />
      </div>
    </>
  );
}

interface FailureProps {
  readonly rule: NotificationRule;
  readonly failure: string;
  readonly hasMail: boolean;
}

function Failure({ rule, failure, hasMail }: FailureProps) {
  const isAdministrator = useSession().user?.is_admin === true;
  return (
    <Note kind="bad">
      <p className="breakable">
        <strong>The last attempt failed.</strong> {plainText(failure)}
      </p>
      <p>
        {remedyOf(rule, hasMail)}{' '}
        {rule.channel === 'mail' && isAdministrator ? (
          <Link to="/settings" hash="mail-server">
            Mail server
          </Link>
        ) : null}
      </p>
    </Note>
  );
}

function RuleFacts({ rule, choices }: Pick<RuleDetailProps, 'rule' | 'choices'>) {
  const now = useNow();
  const projects = useQuery({ ...useApp().queries.myProjects(), enabled: rule.project_id !== null }).data ?? [];
  const project = projects.find(({ id }) => id === rule.project_id)?.path ?? `project ${rule.project_id ?? ''}`;
  const quiet = quietWords(rule);
  return (
    <dl className={`${facts['plain']} ${styles['facts']}`}>
      <Fact term="State">
        <RuleState rule={rule} />
      </Fact>
      <Fact term="Tells of">
        <ul>
          {allKinds
            .filter((kind) => rule.kinds.includes(kind))
            .map((kind) => (
              <li key={kind}>{kindWords[kind].label}</li>
            ))}
        </ul>
      </Fact>
      <Fact term="Of whom">
        {rule.everybody ? 'everybody' : 'own measurements, own projects'}
        {rule.project_id === null ? '' : `; errors of ${project}`}
      </Fact>
      <Fact term={rule.channel === 'mail' ? 'Mail to' : 'Webhook'}>
        <code>{plainText(rule.to)}</code> <CopyButton text={rule.to} label="Copy the address" small />
      </Fact>
      <Fact term="When">{digestWords[rule.digest]}</Fact>
      {quiet === null ? null : (
        <Fact term="Quiet">
          {quiet}
          {choices === undefined ? null : <p className="remark">{clockWords(choices, now)}</p>}
        </Fact>
      )}
      <Fact term="Waiting">{rule.waiting === 0 ? 'nothing' : formatCount(rule.waiting)}</Fact>
      <Fact term="Last sent">
        <Moment at={rule.last_sent_at} none="never" />
      </Fact>
      <Fact term="Added">
        <Moment at={rule.created_at} />
      </Fact>
    </dl>
  );
}
