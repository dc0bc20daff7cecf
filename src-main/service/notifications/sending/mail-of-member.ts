import type { AccountStores } from '../../accounts/store/stores.ts';
import type { ProjectStores } from '../../projects/stores.ts';

/** Whether an address of mail is that of a member of a project who may sign in. */
export async function isMailOfMember(
  { users, projects }: Pick<AccountStores, 'users'> & Pick<ProjectStores, 'projects'>,
  projectId: number,
  address: string,
): Promise<boolean> {
  const user = await users.byEmail(address);
  return user?.state === 'active' && (await projects.roleOf(projectId, user.id)) !== null;
}
