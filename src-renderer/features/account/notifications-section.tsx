import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { useApp } from '../../context/context.ts';
import { Section } from './section.tsx';

/** Leads to the rules by which the user is told of what happens. */
export function NotificationsSection() {
  const rules = useQuery(useApp().queries.notificationRules()).data;
  const failing = (rules ?? []).filter(({ failure }) => failure !== null).length;
  return (
    <Section
      title="Notifications"
      about="Mail or webhooks tell you what happens to your measurements, copies and projects."
    >
      <p>
        {rules === undefined || rules.length === 0 ? '' : `${countOf(rules.length, 'rule')}. `}
        {failing === 0 ? '' : `The last attempt of ${countOf(failing, 'rule')} failed. `}
        <Link to="/account/notifications">
          {rules?.length === 0 ? 'Choose what you are told of' : 'Show the rules'}
        </Link>
      </p>
    </Section>
  );
}
