import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { RemoteServer, ServerProblem } from '../../api/requests/types.ts';
import { StatusWord } from '../../ui/notes/status-word.tsx';

const words: Readonly<Record<ServerProblem, string>> = {
  'address-unusable': 'address unusable',
  'name-unknown': 'name unknown',
  refused: 'refuses connections',
  unreachable: 'unreachable',
  'timed-out': 'no answer in time',
  certificate: 'certificate not trusted',
  'no-tls': 'does not speak https',
  'wrong-host': 'does not answer to this name',
  'token-missing': 'needs a token',
  'token-refused': 'token refused',
  'scope-too-small': 'token lacks a scope',
  'not-a-measurement-server': 'not a measurement server',
  'server-failed': 'server fails',
};

/** Whether a server works, and if not, the exact reason. */
export function ServerStateWord({ server }: { readonly server: Pick<RemoteServer, 'state' | 'problem'> }) {
  if (server.state === 'ok') {
    return <StatusWord tone="ok" icon={CircleCheck} word="ready" />;
  }
  if (server.state === 'untested') {
    return <StatusWord tone="quiet" icon={CircleDashed} word="not tested yet" />;
  }
  return (
    <StatusWord
      tone="bad"
      icon={CircleAlert}
      word={server.problem === null ? 'does not work' : words[server.problem]}
    />
  );
}
