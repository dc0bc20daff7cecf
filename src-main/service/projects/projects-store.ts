import type Database from 'better-sqlite3';
import { likePattern } from '../accounts/users-store.ts';

export interface ProjectRow {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly created_at: number;
}

export const projectRoles = ['reporter', 'developer', 'maintainer', 'owner'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** A project with the role that one user has in it. */
export interface Membership extends ProjectRow {
  readonly role: ProjectRole;
}

export interface ProjectsStore {
  /** @returns null when the path is taken. */
  create(path: string, name: string): Promise<ProjectRow | null>;
  byPath(path: string): Promise<ProjectRow | null>;
  search(text: string, limit: number): Promise<readonly ProjectRow[]>;
  setMember(projectId: number, userId: number, role: ProjectRole): Promise<void>;
  /** The projects that a user is a member of, by path. */
  ofMember(userId: number): Promise<readonly Membership[]>;
}

/** Projects and their members in SQLite. */
export function projectsStore(database: Database.Database): ProjectsStore {
  const insert = database.prepare<[string, string, number], ProjectRow>(
    'INSERT INTO projects (path, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING *',
  );
  const byPath = database.prepare<[string], ProjectRow>('SELECT * FROM projects WHERE path = ?');
  const search = database.prepare<[string, string, number], ProjectRow>(
    `SELECT * FROM projects WHERE path LIKE ? ESCAPE '\\' OR name LIKE ? ESCAPE '\\' ORDER BY path LIMIT ?`,
  );
  const setMember = database.prepare<[number, number, string]>(
    'INSERT INTO project_members (project_id, user_id, role) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET role = excluded.role',
  );
  const ofMember = database.prepare<[number], Membership>(
    'SELECT projects.*, role FROM project_members JOIN projects ON projects.id = project_id WHERE user_id = ? ORDER BY path',
  );
  return {
    create: async (path, name) => insert.get(path, name, Date.now()) ?? null,
    byPath: async (path) => byPath.get(path) ?? null,
    search: async (text, limit) => {
      const pattern = likePattern(text);
      return search.all(pattern, pattern, limit);
    },
    setMember: async (projectId, userId, role) => void setMember.run(projectId, userId, role),
    ofMember: async (userId) => ofMember.all(userId),
  };
}
