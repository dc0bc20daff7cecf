import { Laptop, LockKeyhole } from 'lucide-react';
import styles from './kind-word.module.css';

/** Whether an application is confidential or public, as an icon and a word. */
export function KindWord({ confidential }: { readonly confidential: boolean }) {
  const Icon = confidential ? LockKeyhole : Laptop;
  return (
    <span
      className={styles['kind']}
      title={
        confidential
          ? 'It keeps a secret on a server'
          : 'It runs on its users’ machines, has no secret and must use PKCE'
      }
    >
      <Icon aria-hidden />
      {confidential ? 'confidential' : 'public'}
    </span>
  );
}
