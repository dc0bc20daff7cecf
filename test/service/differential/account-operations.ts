import { beginning, type Operations } from './operation.ts';
import type { Draw } from './random.ts';

const usernames = ['alice', 'Alice', 'bob', 'carol', 'dave', 'ERIN', 'erin', 'frank', 'Grace', 'ärger', 'z_', 'z%'];
const emails = ['alice@lab.example', 'ALICE@lab.example', 'müller@lab.example', 'MÜLLER@lab.example', 'b@x', 'ß@x'];
const scopes = ['api', 'read_api', 'read_measurement'];
const paths = ['lab', 'Lab', 'lab/one', 'lab/two', 'ÄRGER', 'x_y', 'x%y'];
const roles = ['owner', 'maintainer', 'developer', 'reporter'] as const;
const orders = ['asc', 'desc'] as const;
const some = (draw: Draw) => ({ limit: 1 + draw.number(6), offset: draw.number(5) });
const hash = (draw: Draw) => Buffer.alloc(32, draw.number(30));

const newUser = (draw: Draw) => ({
  username: draw.one(usernames),
  name: draw.text(),
  email: draw.maybe(draw.one(emails)),
  passwordHash: draw.maybe(draw.text()),
  isAdmin: draw.yes(),
});

const users: Operations = {
  'users.create': (draw) => {
    const user = newUser(draw);
    return async (of) => of.users.create(user);
  },
  'users.createFirst': (draw) => {
    const user = newUser(draw);
    return async (of) => of.users.createFirst(user);
  },
  'users.byUsername': (draw) => {
    const name = draw.one(usernames);
    return async (of) => of.users.byUsername(name);
  },
  'users.hasEmail': (draw) => {
    const [email, except] = [draw.one(emails), draw.maybe(draw.id())];
    return async (of) => of.users.hasEmail(email, except);
  },
  'users.setState': (draw) => {
    const [id, state] = [draw.id(), draw.one(['active', 'active', 'blocked'] as const)];
    return async (of) => of.users.setState(id, state);
  },
  'users.setAdmin': (draw) => {
    const [id, isAdmin] = [draw.id(), draw.yes()];
    return async (of) => of.users.setAdmin(id, isAdmin);
  },
  'users.setProfile': (draw) => {
    const [id, name, email] = [draw.id(), draw.text(), draw.maybe(draw.one(emails))];
    return async (of) => of.users.setProfile(id, name, email);
  },
  'users.remove': (draw) => {
    const id = draw.number(4) === 0 ? draw.id() : 99;
    return async (of) => of.users.remove(id);
  },
  'users.measurementsOf': (draw) => {
    const id = draw.id();
    return async (of) => of.users.measurementsOf(id, 3);
  },
  'users.recordSignIn': (draw) => {
    const [id, at] = [draw.id(), draw.near(beginning)];
    return async (of) => of.users.recordSignIn(id, at);
  },
  'users.all': () => async (of) => [
    await of.users.all(),
    await of.users.isEmpty(),
    await of.users.firstAdministrator(),
  ],
  'users.page': (draw) => {
    const filter = { search: draw.text(), state: draw.maybe(draw.one(['active', 'blocked'] as const)) };
    const sort = draw.one(['username', 'state', 'created_at', 'last_sign_in_at'] as const);
    const [order, { limit, offset }] = [{ sort, order: draw.one(orders) }, some(draw)];
    return async (of) => of.users.page(filter, order, limit, offset);
  },
  'userList.page': (draw) => {
    const filter = {
      username: draw.maybe(draw.one(usernames)) ?? undefined,
      search: draw.maybe(draw.text()) ?? undefined,
      byEmail: draw.yes(),
      active: draw.yes(),
      blocked: draw.yes(),
    };
    const { limit, offset } = some(draw);
    return async (of) => of.userList.page(filter, limit, offset);
  },
};

const sessions: Operations = {
  'sessions.create': (draw) => {
    const userId = draw.id();
    const session = { userId, tokenHash: hash(draw), address: draw.maybe('192.0.2.1'), userAgent: draw.text() };
    const [expiresAt, secondFactor] = [draw.near(beginning + 3_600_000), draw.yes()];
    return async (of) => of.sessionRows.create({ ...session, expiresAt, secondFactor });
  },
  'sessions.byHash': (draw) => {
    const [tokenHash, at] = [hash(draw), draw.near(beginning)];
    return async (of) => of.sessionRows.byHash(tokenHash, at);
  },
  'sessions.ofUser': (draw) => {
    const [id, at] = [draw.id(), draw.near(beginning)];
    return async (of) => of.sessionRows.ofUser(id, at);
  },
  'sessions.removeOne': (draw) => {
    const [user, id] = [draw.id(), draw.id()];
    return async (of) => of.sessionRows.removeOne(user, id);
  },
  'sessions.removeOfUser': (draw) => {
    const [user, except] = [draw.id(), draw.maybe(draw.id())];
    return async (of) => of.sessionRows.removeOfUser(user, except);
  },
  'sessions.removeExpired': (draw) => {
    const at = draw.near(beginning);
    return async (of) => of.sessionRows.removeExpired(at);
  },
};

const tokens: Operations = {
  'tokens.create': (draw) => {
    const token = { userId: draw.id(), name: draw.text(), description: draw.text(), scopes: [draw.one(scopes)] };
    const [tokenHash, expiresAt] = [hash(draw), draw.maybe(draw.near(beginning))];
    return async (of) => of.tokens.create({ ...token, tokenHash, expiresAt });
  },
  'tokens.rotate': (draw) => {
    const [id, next] = [draw.id(), { tokenHash: hash(draw), expiresAt: draw.near(beginning) }];
    return async (of) => of.tokens.rotate(id, next);
  },
  'tokens.usable': (draw) => {
    const [tokenHash, at] = [hash(draw), draw.near(beginning)];
    return async (of) => [await of.tokens.usable(tokenHash, at), await of.tokens.byHash(tokenHash)];
  },
  'tokens.list': (draw) => {
    const sort = `${draw.one(['created', 'expires', 'last_used', 'name'] as const)}_${draw.one(orders)}` as const;
    const time = () => draw.maybe(draw.near(beginning)) ?? undefined;
    const filter = {
      userId: draw.maybe(draw.id()) ?? undefined,
      search: draw.maybe(draw.text()) ?? undefined,
      active: draw.maybe({ is: draw.yes(), at: draw.near(beginning) }) ?? undefined,
      revoked: draw.maybe(draw.yes()) ?? undefined,
      createdAfter: time(),
      expiresBefore: time(),
      lastUsedAfter: time(),
    };
    const { limit, offset } = some(draw);
    return async (of) => of.tokens.list(filter, sort, limit, offset);
  },
  'tokens.ofUser': (draw) => {
    const id = draw.id();
    return async (of) => of.tokens.ofUser(id);
  },
  'tokens.revoke': (draw) => {
    const [id, family] = [draw.id(), draw.id()];
    return async (of) => [await of.tokens.revoke(id), await of.tokens.revokeFamily(family)];
  },
  'tokens.recordUse': (draw) => {
    const use = () => ({
      tokenId: draw.id(),
      at: draw.near(beginning),
      address: draw.maybe(`192.0.2.${draw.number(9)}`),
    });
    const uses = [use(), use()];
    return async (of) => of.tokens.recordUse(uses);
  },
};

const projects: Operations = {
  'projects.create': (draw) => {
    const [path, name] = [draw.one(paths), draw.text()];
    return async (of) => of.projects.create(path, name);
  },
  'projects.byPath': (draw) => {
    const path = draw.one(paths);
    return async (of) => of.projects.byPath(path);
  },
  'projects.search': (draw) => {
    const [text, member] = [draw.text(), draw.maybe(draw.id())];
    return async (of) => of.projects.search(text, member, 5);
  },
  'projects.overviews': (draw) => {
    const [user, all] = [draw.id(), draw.yes()];
    return async (of) => [await of.projects.overviews(user, all), await of.projects.ofMember(user)];
  },
  'projects.change': (draw) => {
    const [id, name, monitor] = [draw.id(), draw.text(), draw.yes()];
    return async (of) => of.projects.change(id, name, monitor);
  },
  'projects.hide': (draw) => {
    const id = draw.number(6) === 0 ? draw.id() : 99;
    return async (of) => of.projects.hide(id);
  },
  'projects.setMember': (draw) => {
    const [project, user, role] = [draw.id(), draw.id(), draw.one(roles)];
    return async (of) => of.projects.setMember(project, user, role);
  },
  'members.setRole': (draw) => {
    const [project, user, role] = [draw.id(), draw.id(), draw.one(roles)];
    return async (of) => [await of.members.setRole(project, user, role), await of.members.all(project)];
  },
  'members.remove': (draw) => {
    const [project, user] = [draw.id(), draw.id()];
    return async (of) => of.members.remove(project, user);
  },
};

const settings: Operations = {
  'settings.set': (draw) => {
    const [key, value] = [draw.text(), draw.text()];
    return async (of) => {
      await of.settings.set(key, value);
      return [await of.settings.get(key), await of.settings.addIfAbsent(`${key} `, value)];
    };
  },
};

export const accountOperations: Operations = { ...users, ...sessions, ...tokens, ...projects, ...settings };
