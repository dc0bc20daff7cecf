import type { Database, Transaction } from '../database/port/database.ts';
import { ignoringCase, like } from '../database/port/dialect.ts';
import { read, readValue, write } from '../database/port/query.ts';
import { run } from '../database/port/steps.ts';
import { contains, likePattern } from '../database/text-search.ts';

export interface ProjectRow {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly created_at: number;
  /** Whether the project has the Monitor screens and accepts errors. */
  readonly monitor: 0 | 1;
}

export const projectRoles = ['reporter', 'developer', 'maintainer', 'owner'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** A project with the role of one user. */
export interface Membership extends ProjectRow {
  readonly role: ProjectRole;
}

/** A project in a list for one user, who may have no role in it. */
export interface ProjectOverview extends ProjectRow {
  readonly role: ProjectRole | null;
  readonly active: 0 | 1;
  readonly integrated: 0 | 1;
  readonly unresolved: number;
}

export interface ProjectsStore {
  /** @returns null when the path is taken. */
  create(path: string, name: string): Promise<ProjectRow | null>;
  byId(id: number): Promise<ProjectRow | null>;
  byPath(path: string): Promise<ProjectRow | null>;
  /** Projects that match by path or name, at most `limit`; of one member, or of all for null. */
  search(text: string, memberId: number | null, limit: number): Promise<readonly ProjectRow[]>;
  /** The projects of a member, or all of them, sorted by path. */
  overviews(userId: number, all: boolean): Promise<readonly ProjectOverview[]>;
  overview(userId: number, projectId: number): Promise<ProjectOverview | null>;
  change(id: number, name: string, monitor: boolean): Promise<void>;
  /**
   * Hides a project and deletes its members, client keys and rules of what is told, so that its grants give no access; the
   * remaining data are deleted in steps afterwards.
   */
  hide(id: number): Promise<void>;
  /**
   * Sets a role without the check for the last owner: for new projects and the command line. See
   * MembersStore.setRole.
   */
  setMember(projectId: number, userId: number, role: ProjectRole): Promise<void>;
  roleOf(projectId: number, userId: number): Promise<ProjectRole | null>;
  /** The projects of a member, sorted by path. */
  ofMember(userId: number): Promise<readonly Membership[]>;
}

/**
 * SQL condition that excludes projects being removed: their path is one that no request can name
 * (remove-project.ts).
 */
export const notHidden = "substr(projects.path, 1, 1) <> '-'";

const insert = write<[string, string, number], ProjectRow>(
  'INSERT INTO projects (path, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING *',
);
const byId = read<[number], ProjectRow>(`SELECT * FROM projects WHERE id = ? AND ${notHidden}`);
const byPath = read<[string], ProjectRow>(
  `SELECT * FROM projects WHERE ${ignoringCase('path')} = ${ignoringCase('?')} AND ${notHidden}`,
);
const search = read<{ pattern: string; member: number | null; limit: number }, ProjectRow>(
  `SELECT * FROM projects WHERE ${notHidden} AND (${like('path', '@pattern')} OR ${contains('name', '@pattern')})
     AND (CAST(@member AS bigint) IS NULL OR EXISTS (SELECT 1 FROM project_members WHERE project_id = projects.id AND user_id = @member)) ORDER BY ${ignoringCase('path')} LIMIT @limit`,
);
const overviews = `SELECT projects.*, role, ifnull(active, 0) AS active, ifnull(integrated, 1) AS integrated,
    (SELECT count(*) FROM errors WHERE errors.project_id = projects.id AND status = 'unresolved') AS unresolved
  FROM projects LEFT JOIN project_members ON project_members.project_id = projects.id AND user_id = @user
    LEFT JOIN error_tracking_settings AS settings ON settings.project_id = projects.id WHERE ${notHidden}`;
const several = read<{ user: number; all: number }, ProjectOverview>(
  `${overviews} AND (@all = 1 OR role IS NOT NULL) ORDER BY ${ignoringCase('path')}`,
);
const single = read<{ user: number; project: number }, ProjectOverview>(`${overviews} AND projects.id = @project`);
const change = write<[string, number, number]>('UPDATE projects SET name = ?, monitor = ? WHERE id = ?');
const rename = write<[string, number]>('UPDATE projects SET path = ?, monitor = 0 WHERE id = ?');
const setMember = write<[number, number, string]>(
  'INSERT INTO project_members (project_id, user_id, role) VALUES (?, ?, ?) ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role',
);
const roleOf = readValue<[number, number], ProjectRole>(
  'SELECT role FROM project_members WHERE project_id = ? AND user_id = ?',
);
const ofMember = read<[number], Membership>(
  `SELECT projects.*, role FROM project_members JOIN projects ON projects.id = project_id
   WHERE user_id = ? ORDER BY ${ignoringCase('path')}`,
);
const takeAway = ['project_members', 'client_keys', 'error_tracking_settings', 'notification_rules'].map((table) =>
  write<[number]>(`DELETE FROM ${table} WHERE project_id = ?`),
);

function* hide(id: number): Transaction<void> {
  yield* run(rename, `-${id}`, id);
  for (const removal of takeAway) yield* run(removal, id);
}

/** Projects and the roles of their members. */
export function projectsStore(database: Database): ProjectsStore {
  return {
    create: async (path, name) => database.returning(insert, path, name, Date.now()),
    byId: async (id) => database.one(byId, id),
    byPath: async (path) => database.one(byPath, path),
    search: async (text, member, limit) => database.all(search, { pattern: likePattern(text), member, limit }),
    overviews: async (user, all) => database.allInBackground(several, { user, all: Number(all) }),
    overview: async (user, project) => database.one(single, { user, project }),
    change: async (id, name, monitor) => void (await database.run(change, name, Number(monitor), id)),
    hide: async (id) => database.transaction(() => hide(id)),
    setMember: async (projectId, userId, role) => void (await database.run(setMember, projectId, userId, role)),
    roleOf: async (projectId, userId) => database.one(roleOf, projectId, userId),
    ofMember: async (userId) => database.all(ofMember, userId),
  };
}
