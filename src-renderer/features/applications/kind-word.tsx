import { Laptop, LockKeyhole } from 'lucide-react';
import { StatusWord } from '../../ui/notes/status-word.tsx';

/** Whether an application is confidential or public, as an icon and a word. */
export function KindWord({ confidential }: { readonly confidential: boolean }) {
  return confidential ? (
    <StatusWord tone="plain" icon={LockKeyhole} title="It keeps a secret on a server" word="confidential" />
  ) : (
    <StatusWord
      tone="plain"
      icon={Laptop}
      title="It runs on its users’ machines, has no secret and must use PKCE"
      word="public"
    />
  );
}
