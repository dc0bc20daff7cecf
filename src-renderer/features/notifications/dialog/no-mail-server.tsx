import { Link } from '@tanstack/react-router';
import { useSession } from '../../../context/context.ts';
import { Note } from '../../../ui/notes/note.tsx';

/** Says that no mail can be sent, and who can change that. */
export function NoMailServer() {
  const isAdministrator = useSession().user?.is_admin === true;
  return (
    <Note kind="warn">
      <p>
        No mail server is set, so that messages wait.{' '}
        {isAdministrator ? (
          <Link to="/settings" hash="mail-server">
            Set a mail server
          </Link>
        ) : (
          'An administrator can set one.'
        )}
      </p>
    </Note>
  );
}
