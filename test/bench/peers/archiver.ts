// GET /NAME makes a ZIP with stored members of all files of the folder NAME. Argument: the folder
// above.
import { ZipArchive } from 'archiver';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { announce } from './announce.ts';

const root = process.argv[2] ?? '';

const server = http.createServer((request, response) => {
  const folder = path.join(root, path.basename(request.url ?? ''));
  // Length unknown: the end of the connection ends the body, which costs less than chunks.
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { 'content-type': 'application/zip', connection: 'close' });
  const archive = new ZipArchive({ store: true });
  archive.pipe(response);
  for (const name of readdirSync(folder).toSorted()) archive.file(path.join(folder, name), { name });
  void archive.finalize();
});
server.listen(0, '127.0.0.1', () => announce(server));
