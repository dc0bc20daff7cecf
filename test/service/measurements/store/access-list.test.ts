import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../../src-main/service/database/migrations/all.ts';
import { addFolding } from '../../../../src-main/service/database/text-search.ts';
import { accessMaintenanceStore } from '../../../../src-main/service/measurements/store/access-maintenance-store.ts';
import { measurementsStore } from '../../../../src-main/service/measurements/store/measurements-store.ts';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';
import { type World, change, naive, open, random, searches, sorts } from './access-list-world.ts';

describe('S1: the list of measurements', () => {
  it.each([1, 2, 3])('S1: equals the judgement of each row, after thousands of changes (%i)', async (seed) => {
    const world = open();
    const pick = random(seed);
    const clock = { now: 1000 };
    for (let at = 1; at <= 6; at += 1)
      await world.users.create({ username: `user${at}`, name: '', email: null, passwordHash: null, isAdmin: at === 1 });
    for (let at = 1; at <= 4; at += 1) await world.projects.create(`project${at}`, '');
    for (let step = 0; step < 3000; step += 1) {
      await change(world, pick, clock);
      if (step % 5 > 0) continue;
      const listing = {
        visibleTo: pick(7) === 0 ? null : 1 + pick(6),
        search: searches[pick(searches.length)] ?? '',
        sort: sorts[pick(sorts.length)] ?? 'id',
        descending: pick(2) === 0,
        limit: 1 + pick(12),
        offset: pick(3) * 4,
        now: clock.now,
      };
      const expected = naive(world.database, listing);
      const page = await world.measurements.list(listing);
      expect(
        page.rows.map(({ id }) => id),
        JSON.stringify({ step, ...listing }),
      ).toEqual(expected.slice(listing.offset, listing.offset + listing.limit));
      expect(page.total, JSON.stringify({ step, ...listing, expected })).toEqual({
        count: expected.length,
        complete: true,
      });
      const following: string[] = [];
      for (let after = null; ;) {
        const next: Awaited<ReturnType<World['measurements']['list']>> = await world.measurements.list({
          ...listing,
          offset: 0,
          after,
        });
        following.push(...next.rows.map(({ id }) => id));
        if (next.next === null) break;
        after = next.next as never;
      }
      expect(following).toEqual(expected);
    }
    expect(world.database.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('S1: merges the parts of more readers than one statement takes', async () => {
    const world = open();
    await world.users.create({ username: 'alice', name: '', email: null, passwordHash: null, isAdmin: true });
    const bob = await world.users.create({
      username: 'bob',
      name: '',
      email: null,
      passwordHash: null,
      isAdmin: false,
    });
    for (let at = 0; at < 160; at += 1) {
      const project = await world.projects.create(`p${at}`, '');
      await world.projects.setMember(project?.id ?? 0, bob?.id ?? 0, 'reporter');
      for (const id of [`x-${(at * 7) % 160}`, `x-${(at * 11) % 160}`]) {
        if ((await world.measurements.byId(id)) === null) {
          await world.registrations.reserve({ id, title: `T ${at}`, ownerId: 1, storage: 'reference', root: '' });
          await world.registrations.makeAvailable(id, 1);
        }
        await world.grants.grant(id, { projectId: project?.id ?? 0 }, null, 1);
      }
    }
    for (const sort of sorts) {
      const listing = { visibleTo: bob?.id ?? 0, search: '', sort, descending: true, limit: 30, offset: 50, now: 5 };
      const page = await world.measurements.list(listing);
      expect(page.rows.map(({ id }) => id)).toEqual(naive(world.database, listing).slice(50, 80));
      expect(page.total).toEqual({ count: 160, complete: true });
    }
  });

  it.each(sorts)(
    'S1: comes in the order of %s out of an index and is neither sorted nor read beyond the page',
    async (sort) => {
      const world = open();
      await world.users.create({ username: 'alice', name: '', email: null, passwordHash: null, isAdmin: false });
      await world.projects.create('p', '');
      await world.projects.setMember(1, 1, 'owner');
      await world.registrations.reserve({ id: 'a', title: 'T', ownerId: 1, storage: 'reference', root: '' });
      await world.registrations.makeAvailable('a', 1);
      await world.grants.grant('a', { projectId: 1 }, null, 1);
      for (const listing of [
        { visibleTo: null, search: '' },
        { visibleTo: 1, search: '' },
        {
          visibleTo: 1,
          search: '',
          after: { key: sort === 'title' || sort === 'id' || sort === 'state' ? 'a' : 1, id: 'a' },
        },
        { visibleTo: 1, search: 'searched' },
        { visibleTo: 1, search: 'T' },
      ]) {
        for (const descending of [true, false]) {
          world.statements.length = 0;
          await world.measurements.list({
            sort,
            descending,
            limit: 50,
            offset: listing.after === undefined ? 500 : 0,
            now: 5,
            ...listing,
          });
          const reading = world.statements.filter((sql) => sql.includes('measurement'));
          expect(reading.length).toBeGreaterThan(1);
          for (const sql of reading) {
            const plan = world.database
              .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
              .all()
              .map(({ detail }) => detail)
              .join('\n');
            expect(plan, sql).not.toMatch(
              /SCAN (?!(json_each|listed|measurement_search) VIRTUAL TABLE|counted$|\(|CONSTANT ROW)/m,
            );
            if (sql.includes('LIMIT')) expect(plan, sql).not.toContain('TEMP B-TREE FOR ORDER BY');
          }
          if (listing.after !== undefined)
            expect(reading.some((sql) => sql.includes(') <') || sql.includes(') >'))).toBe(true);
        }
      }
    },
  );
});

describe('S1: a database of an older version', () => {
  it('S1: has its lists at once, and its searches find everything before and after their index is filled', async () => {
    const database = new Database(':memory:');
    addFolding(database);
    const apply = (fits: (number: number) => boolean) =>
      migrations.filter(({ number }) => fits(number)).forEach(({ sql }) => database.exec(sql));
    apply((number) => number < 9);
    database.exec(`
      INSERT INTO users (username, name, created_at) VALUES ('alice', '', 1), ('bob', '', 1);
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 249)
      INSERT INTO measurements (id, title, owner_id, storage, root, state, created_at)
        SELECT 'M' || i, 'Prüfstand ' || i, 1, 'library', '', iif(i % 50 = 7, 'registering', 'available'), i FROM n;
      INSERT INTO grants (measurement_id, user_id, until, created_at) SELECT id, 2, iif(created_at % 2 = 0, NULL, 100), 1 FROM measurements WHERE created_at < 20;
      INSERT INTO grants (measurement_id, everyone, created_at) VALUES ('M4', 1, 1), ('M99', 1, 1);
    `);
    apply((number) => number >= 9);
    const port = storeContext(database).database;
    const measurements = measurementsStore(port);
    const upkeep = accessMaintenanceStore(port);
    const compare = async () => {
      for (const search of ['', 'PRÜFSTAND 2', 'm1', '9']) {
        for (const visibleTo of [null, 1, 2]) {
          const listing = {
            visibleTo,
            search,
            sort: 'title',
            descending: false,
            limit: 300,
            offset: 0,
            now: 200,
          } as const;
          expect((await measurements.list(listing)).rows.map(({ id }) => id)).toEqual(naive(database, listing));
        }
      }
    };
    await compare();
    await measurements.rename('M200', 'prüfstand 2000');
    await measurements.remove('M201');
    expect(await upkeep.searchFill.purgeSome(0)).toBe(true);
    await compare();
    while (await upkeep.searchFill.purgeSome(0));
    await measurements.rename('M2', 'prüfstand 2b');
    await compare();
    expect(database.prepare('SELECT complete FROM search_fills').pluck().get()).toBe(1);
    expect(
      database.prepare(`SELECT count(*) FROM measurement_search WHERE measurement_search MATCH '"rÜf"'`).pluck().get(),
    ).toBe(249);
  });
});
