import { KeyRound, Pencil, Trash2 } from 'lucide-react';
import type { OAuthApplication } from '../../api/requests/types.ts';
import { useSession } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { meaningOf } from '../scopes/scope-words.ts';
import { Fact } from '../../ui/figures/fact.tsx';
import { DetailHead } from '../../ui/layout/detail-head.tsx';
import styles from './application-detail.module.css';
import { ApplicationSamples } from './dialogs/application-samples.tsx';
import { KindWord } from './kind-word.tsx';
import facts from '../../ui/styles/facts.module.css';

export interface ApplicationDetailProps {
  readonly application: OAuthApplication;
  readonly onClose: () => void;
  readonly onEdit: () => void;
  readonly onRenew: () => void;
  readonly onDelete: () => void;
}

/** One application: its client id, scopes and ways to sign in. */
export function ApplicationDetail({ application, onClose, onEdit, onRenew, onDelete }: ApplicationDetailProps) {
  const isAdmin = useSession().user?.is_admin ?? false;
  const locked = application.trusted && !isAdmin;
  return (
    <>
      <DetailHead title={application.name} onClose={onClose} />
      <div className={styles['body']}>
        <div className="row">
          {locked ? null : (
            <Button icon={<Pencil aria-hidden />} onClick={onEdit}>
              Edit
            </Button>
          )}
          {application.confidential ? (
            <Button icon={<KeyRound aria-hidden />} onClick={onRenew}>
              Renew secret
            </Button>
          ) : null}
          <Button icon={<Trash2 aria-hidden />} onClick={onDelete}>
            Delete
          </Button>
        </div>
        <Remarks application={application} locked={locked} />
        <dl className={`${facts['plain']} ${styles['facts']}`}>
          <Fact term="Kind">
            <KindWord confidential={application.confidential} />
          </Fact>
          <Fact term="Client id">
            <code>{application.client_id}</code>
            <CopyButton text={application.client_id} label="Copy the client id" small />
          </Fact>
          <Fact term="Redirect URIs">
            {application.redirect_uris.length === 0 ? 'none, it uses only the device grant' : null}
            <ul>
              {application.redirect_uris.map((uri) => (
                <li key={uri}>
                  <code>{uri}</code>
                </li>
              ))}
            </ul>
          </Fact>
          <Fact term="Scopes">
            <ul>
              {application.scopes.map((scope) => (
                <li key={scope}>
                  <code>{scope}</code> <span className="muted">{meaningOf(scope)}</span>
                </li>
              ))}
            </ul>
          </Fact>
          <Fact term="Used by">{countOf(application.authorizations, 'user')}</Fact>
          <Fact term="Registered">
            <Moment at={application.created_at} /> by {application.owner.username}
          </Fact>
        </dl>
        <ApplicationSamples application={application} />
      </div>
    </>
  );
}

function Remarks({ application, locked }: { readonly application: OAuthApplication; readonly locked: boolean }) {
  return (
    <>
      {application.trusted ? (
        <Note kind="info">
          <p>Trusted: its users are not asked to approve.{locked ? ' Only an administrator may change it.' : ''}</p>
        </Note>
      ) : null}
      {application.legacy_implicit ? (
        <Note kind="warn">
          <p>
            It may use the implicit grant, which puts tokens into the address bar. Move it to the code flow with PKCE,
            then register it again without this.
          </p>
        </Note>
      ) : null}
    </>
  );
}
