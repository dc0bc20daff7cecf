import { HttpProblem } from '../../common/problem.ts';
import { isChosenOwner } from '../store/owner.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type RefusedAction = 'blocked' | 'deleted' | 'demoted';

/**
 * @throws HttpProblem 409 for the account that the window acts for: the window would lose its
 * access.
 */
export async function refuseForOwner(
  services: Pick<ServiceContext, 'settings'>,
  user: UserRow,
  action: RefusedAction,
): Promise<void> {
  if (await isChosenOwner(services.settings, user.id)) {
    throw new HttpProblem(
      409,
      `${user.username} owns this installation: the desktop window acts for this account. It cannot be ${action}.`,
      {
        type: 'window-owner',
      },
    );
  }
}

/** 409: without an administrator the change could not be undone. */
export function lastAdministrator(user: UserRow, action: RefusedAction): HttpProblem {
  return new HttpProblem(
    409,
    `${user.username} is the last active administrator and cannot be ${action}. Make somebody else an administrator first.`,
    {
      type: 'last-administrator',
    },
  );
}
