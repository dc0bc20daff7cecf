import { beforeAll } from 'vitest';
import { addUser } from '../../people.ts';
import { useTestService } from '../../use-service.ts';

export const password = 'a long password';

/** A service with users who have passwords. */
export function useSignIn() {
  const service = useTestService();

  beforeAll(async () => {
    await addUser(service.services, 'alice', { password });
    await addUser(service.services, 'bob', { password });
    await service.user('nopassword');
  });

  return { service };
}
