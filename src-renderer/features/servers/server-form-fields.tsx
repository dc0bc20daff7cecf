import type { RemoteServer } from '../../api/requests/types.ts';
import { Choice } from '../../ui/controls/field.tsx';
import { Fingerprint } from '../../ui/figures/fingerprint.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { RateField } from '../../ui/controls/rate-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

interface ToldCertificateProps {
  readonly sha256: string;
  readonly compared: boolean;
  readonly onCompared: (compared: boolean) => void;
}

/** The certificate that a machine on the network announced, to be compared with what that machine shows. */
export function ToldCertificate({ sha256, compared, onCompared }: ToldCertificateProps) {
  return (
    <>
      <div>
        <p>Fingerprint of its certificate (SHA-256)</p>
        <Fingerprint sha256={sha256} />
      </div>
      <Choice
        name="compared"
        label="Sharing on that machine shows the same fingerprint"
        meaning="Any machine on the network can claim to be this one. From now on only this certificate is trusted, and the token is sent to no other server."
        checked={compared}
        onChange={onCompared}
      />
    </>
  );
}

interface KnownServerFieldsProps {
  readonly server: RemoteServer;
  readonly connections: string;
  readonly soundConnections: boolean;
  readonly reports: boolean;
  readonly onLimit: (limit: number | null | undefined) => void;
  readonly onConnections: (connections: string) => void;
  readonly onReports: (reports: boolean) => void;
}

/** Settings of a server that is in the list. */
export function KnownServerFields({
  server,
  connections,
  soundConnections,
  reports,
  onLimit,
  onConnections,
  onReports,
}: KnownServerFieldsProps) {
  return (
    <>
      <RateField label="Speed limit" value={server.speed_limit} onChange={onLimit} />
      <TextField
        label="Connections of one transfer"
        hint="Leave empty for the default."
        error={soundConnections ? null : 'A number from 1 to 16.'}
        inputMode="numeric"
        maxLength={2}
        value={connections}
        onChange={(text) => onConnections(text.trim())}
      />
      <Choice
        name="reports"
        label="Tell this server how this Benchport is"
        meaning="If measurements are pushed there, its administrators see this computer's name, last run, backlog, free disk space, version, clock and number of errors, and are told when it falls silent. Paths and files are not sent."
        checked={reports}
        onChange={onReports}
      />
      {server.reports_refused === null || !reports ? null : (
        <Note kind="warn">{server.reports_refused} It is asked again once a day, and when the token is replaced.</Note>
      )}
    </>
  );
}
