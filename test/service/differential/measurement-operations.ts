import { beginning, type Operations } from './operation.ts';
import type { Draw } from './random.ts';

const ids = ['run-1', 'RUN-1', 'run-2', 'run-3', 'qmr', 'QMR-4', 'a.b', 'z_z'];
const id = (draw: Draw) => draw.one(ids);

function fileOf(draw: Draw, index: number) {
  return {
    index,
    path: `${draw.text().slice(0, 20)}/${index}.dat`,
    location: `${index}.dat`,
    length: draw.number(1000),
    crc32: draw.number(2 ** 32),
    sha256: draw.bytes(32),
    mtimeNs: String(1_700_000_000_000_000_000n + BigInt(draw.number(1e9))),
    ctimeNs: draw.maybe(String(draw.number(1e9))),
    blocks: draw.maybe(draw.bytes(8)),
    pieces: draw.maybe(draw.bytes(64)),
    registeredAt: beginning + draw.number(1000),
    archiveOffset: index * 2000,
    directoryOffset: index * 100,
  };
}

const registration: Operations = {
  'registrations.reserve': (draw) => {
    const measurement = { id: id(draw), title: draw.text(), ownerId: draw.id(), storage: 'library', root: '' } as const;
    return async (of) => [await of.registrations.idTaken(measurement.id), await of.registrations.reserve(measurement)];
  },
  'registrations.add': (draw) => {
    const measurement = id(draw);
    const files = Array.from({ length: 4 }, (_, at) => fileOf(draw, at));
    return async (of) => of.registrations.add(measurement, files);
  },
  'registrations.total': (draw) => {
    const [measurement, totals] = [id(draw), { files: 4, bytes: draw.number(1e12) }];
    const archive = { bytes: draw.number(1e12), directoryOffset: 8000, tag: draw.text(), version: 1 };
    return async (of) => of.registrations.total(measurement, totals, archive);
  },
  'registrations.makeAvailable': (draw) => {
    const [measurement, at] = [id(draw), draw.near(beginning)];
    return async (of) => of.registrations.makeAvailable(measurement, at);
  },
  'registrations.touched': (draw) => {
    const { index, mtimeNs, ctimeNs, blocks, pieces } = fileOf(draw, draw.number(4));
    const measurement = id(draw);
    return async (of) => of.registrations.touched(measurement, [{ index, mtimeNs, ctimeNs, blocks, pieces }]);
  },
  'registrations.verified': (draw) => {
    const [measurement, at] = [id(draw), draw.near(beginning)];
    return async (of) => {
      await of.registrations.verified(measurement, at);
      return of.registrations.leastRecentlyVerified(at, at);
    };
  },
  'registrations.hide': (draw) => {
    const measurement = id(draw);
    return async (of) => {
      await of.registrations.hide(measurement);
      while (await of.registrations.dropFiles(measurement, 2, null));
      await of.measurements.remove(measurement);
    };
  },
};

const measurements: Operations = {
  'measurements.withOwner': (draw) => {
    const measurement = id(draw);
    return async (of) => [await of.measurements.byId(measurement), await of.measurements.withOwner(measurement)];
  },
  'measurements.list': (draw) => {
    const listing = {
      visibleTo: draw.maybe(draw.id()),
      search: draw.one(['', '', draw.text(), draw.text().slice(0, 2)]),
      problems: draw.number(4) === 0,
      sort: draw.one(['created_at', 'id', 'title', 'total_bytes', 'file_count', 'state'] as const),
      descending: draw.yes(),
      limit: 1 + draw.number(4),
      offset: draw.number(3),
      now: draw.near(beginning),
    };
    return async (of) => of.measurements.list(listing);
  },
  'measurements.list, walked': (draw) => {
    const listing = {
      visibleTo: draw.maybe(draw.id()),
      search: '',
      sort: draw.one(['created_at', 'id', 'title', 'total_bytes', 'file_count', 'state'] as const),
      descending: draw.yes(),
      limit: 2,
      offset: 0,
      now: draw.near(beginning),
    };
    return async (of) => {
      const first = await of.measurements.list(listing);
      return [first, first.next && (await of.measurements.list({ ...listing, after: first.next }))];
    };
  },
  'measurements.rename': (draw) => {
    const [measurement, title] = [id(draw), draw.text()];
    return async (of) => of.measurements.rename(measurement, title);
  },
  'grants.grant': (draw) => {
    const subject = draw.one([{ userId: draw.id() }, { projectId: draw.id() }, { everyone: true }] as const);
    const [measurement, until] = [id(draw), draw.maybe(draw.near(beginning))];
    return async (of) => of.grants.grant(measurement, subject, until, null);
  },
  'grants.revoke': (draw) => {
    const [measurement, grant] = [id(draw), draw.id()];
    return async (of) => of.grants.revoke(measurement, grant);
  },
  'grants.ofMeasurement': (draw) => {
    const [measurement, grant] = [id(draw), draw.id()];
    return async (of) => [await of.grants.ofMeasurement(measurement), await of.grants.byId(measurement, grant)];
  },
  'grants.readableUntil': (draw) => {
    const [measurement, user, at] = [id(draw), draw.id(), draw.near(beginning)];
    return async (of) => of.grants.readableUntil(measurement, user, at);
  },
  'grants.removeSome': (draw) => {
    const user = draw.number(4) === 0 ? draw.id() : 99;
    return async (of) => of.grants.removeSome(user);
  },
  accessUpkeep: () => async (of) => {
    while (await of.accessUpkeep.searchFill.purgeSome(Date.now()));
    while (await of.accessUpkeep.endedAccess.purgeSome(Date.now()));
  },
};

const files: Operations = {
  'files.from': (draw) => {
    const [measurement, index, limit] = [id(draw), draw.number(5), 1 + draw.number(4)];
    return async (of) => [
      await of.files.at(measurement, index),
      await of.files.from(measurement, index, limit),
      await of.files.withProblems(measurement, index, limit),
      await of.files.membersFrom(measurement, index, limit),
      await of.files.membersBetween(measurement, index * 500, 6000, limit),
      await of.files.atArchiveOffset(measurement, index * 1000),
      await of.files.placesOf(measurement, [index, index + limit, 0]),
      await of.files.indexAtDirectoryOffset(
        measurement,
        { first: 0, last: index + limit, directoryFrom: 0, saved: limit },
        index * 50,
      ),
      await of.blockSums.page(measurement, index, 0),
    ];
  },
  'files.recordChecks': (draw) => {
    const state = draw.one(['ok', 'altered', 'missing', 'unreadable'] as const);
    const check = { index: draw.number(5), state, problem: draw.maybe(draw.text()), at: draw.near(beginning) };
    const measurement = id(draw);
    return async (of) => of.files.recordChecks(measurement, [check]);
  },
  'fileList.page': (draw) => {
    const query = {
      sort: draw.one(['index', 'path', 'size'] as const),
      descending: draw.yes(),
      search: draw.one(['', '', draw.text()]),
      problems: draw.number(4) === 0,
      after: draw.one([-1, 0, 1]),
      limit: 1 + draw.number(4),
    };
    const measurement = id(draw);
    return async (of) => of.fileList.page(measurement, query);
  },
  'leftOut.keep': (draw) => {
    const [measurement, total, names] = [id(draw), 1 + draw.number(9), [draw.text(), draw.text()]];
    return async (of) => {
      await of.leftOut.keep(measurement, total, names);
      return of.leftOut.of(measurement);
    };
  },
};

export const measurementOperations: Operations = { ...registration, ...measurements, ...files };
