import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '../../api/requests/types.ts';
import { plainText } from '../../../src-shared/format/shown-text.ts';

/** The subject of an entry, linked to its screen where that exists. */
export function AuditSubject({ event: { subject, subject_now: now } }: { readonly event: AuditEvent }) {
  const text = <code>{subject}</code>;
  const colon = subject.indexOf(':');
  const key = subject.slice(colon + 1);
  if (now === null) return text;
  const name = plainText(now.name);
  switch (subject.slice(0, colon)) {
    case 'user':
      return (
        <Link to="/users" search={{ search: now.name }} title={name}>
          {text}
        </Link>
      );
    case 'token':
      return (
        <Link
          to="/tokens"
          search={{ ...tokensOf(now.owner), search: now.name, ...(now.active ? {} : { state: 'inactive' }) }}
          title={name}
        >
          {text}
        </Link>
      );
    case 'application':
      return (
        <Link to="/applications/$applicationId" params={{ applicationId: key }} search={{ tab: 'all' }} title={name}>
          {text}
        </Link>
      );
    case 'measurement':
      return (
        <Link to="/measurements/$measurementId" params={{ measurementId: key }} title={name}>
          {text}
        </Link>
      );
    case 'project':
      return (
        <Link to="/projects/$path/settings" params={{ path: now.name }} title={name}>
          {text}
        </Link>
      );
    default:
      return text;
  }
}

/** A user name of digits would be taken for a number. */
function tokensOf(owner: string | null): { readonly all: true } | { readonly user: string } {
  return owner === null || /^\d+$/.test(owner) ? { all: true } : { user: owner };
}
