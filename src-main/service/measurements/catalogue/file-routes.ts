import { Type } from 'typebox';
import { HttpProblem } from '../../common/problem.ts';
import { MeasurementId, Problem } from '../../contract/common.ts';
import { FileStatusPage, FileStatusQuery, FolderPage, FolderQuery } from '../../contract/measurements/files.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import type { MeasurementAccess } from '../access/access.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { fileStatusOf, folderEntryOf } from './measurement-shapes.ts';

type Deps = Pick<MeasurementStores, 'fileList' | 'folders'> & {
  readonly auth: Authentication;
  readonly access: MeasurementAccess;
};

const Params = Type.Object({ id: MeasurementId });

/** Registers the routes that list the files of a measurement: all of them, and by their folders. */
export function registerFileRoutes(app: App, deps: Deps): void {
  const { access } = deps;
  const list = deps.auth.require('read_api', 'read_measurement');

  app.get(
    '/api/v4/measurements/:id/files',
    {
      onRequest: list,
      schema: {
        tags: ['measurements'],
        summary: 'Files of a measurement with their states',
        operationId: 'listMeasurementFiles',
        params: Params,
        querystring: FileStatusQuery,
        response: { 200: FileStatusPage, 404: Problem },
      },
    },
    async (request) => {
      const { id } = await access.readable(principalOf(request), request.params.id);
      const { after, limit, problems, search = '', sort = 'index', order } = request.query;
      const { rows, next, total } = await deps.fileList.page(id, {
        sort,
        descending: order === 'desc',
        search,
        problems,
        after,
        limit,
      });
      return { files: rows.map(fileStatusOf), next, total };
    },
  );

  app.get(
    '/api/v4/measurements/:id/folders',
    {
      onRequest: list,
      schema: {
        tags: ['measurements'],
        summary: 'What is directly in a folder of a measurement: its files with their states, and its folders',
        operationId: 'listMeasurementFolder',
        params: Params,
        querystring: FolderQuery,
        response: { 200: FolderPage, 404: Problem },
      },
    },
    async (request) => {
      const { id } = await access.readable(principalOf(request), request.params.id);
      const { path, after, limit } = request.query;
      const page = await deps.folders.page(id, { path: path.normalize('NFC'), after, limit });
      if (!page) throw new HttpProblem(404, `Measurement ${id} has no folder with this path.`);
      return { entries: page.entries.map(folderEntryOf), next: page.next };
    },
  );
}
