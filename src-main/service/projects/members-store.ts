import type { Database } from '../database/port/database.ts';
import { ignoringCase } from '../database/port/dialect.ts';
import { read, write } from '../database/port/query.ts';
import type { UserRow } from '../accounts/store/user-rows.ts';
import type { ProjectRole } from './projects-store.ts';

export interface MemberRow {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: UserRow['state'];
  readonly role: ProjectRole;
}

export interface MembersStore {
  /** Sorted by user name. */
  all(projectId: number): Promise<readonly MemberRow[]>;
  /** Adds a member or changes a role. @returns false when the project would lose its last owner. */
  setRole(projectId: number, userId: number, role: ProjectRole): Promise<boolean>;
  /** @returns false when the project would lose its last owner. */
  remove(projectId: number, userId: number): Promise<boolean>;
}

const all = read<[number], MemberRow>(
  `SELECT users.id, username, users.name, users.state, role FROM project_members JOIN users ON users.id = user_id WHERE project_id = ? ORDER BY ${ignoringCase('username')}`,
);
// Part of the statements, so that two owners who remove each other concurrently cannot both
// succeed.
const dispensable = `(project_members.role <> 'owner' OR EXISTS (SELECT 1 FROM project_members AS other
  WHERE other.project_id = project_members.project_id AND other.role = 'owner' AND other.user_id <> project_members.user_id))`;
const setRole = write<[number, number, string]>(
  `INSERT INTO project_members (project_id, user_id, role) VALUES (?, ?, ?)
   ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role WHERE excluded.role = 'owner' OR ${dispensable}`,
);
const remove = write<[number, number]>(
  `DELETE FROM project_members WHERE project_id = ? AND user_id = ? AND ${dispensable}`,
);

/** Members of projects. */
export function membersStore(database: Database): MembersStore {
  return {
    all: async (projectId) => database.all(all, projectId),
    setRole: async (projectId, userId, role) => (await database.run(setRole, projectId, userId, role)) > 0,
    remove: async (projectId, userId) => (await database.run(remove, projectId, userId)) > 0,
  };
}
