// @fastify/static over one folder, set up as its README says. Argument: the folder.
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import { announce } from './announce.ts';

const app = fastify({ logger: false });
await app.register(fastifyStatic, { root: process.argv[2] ?? '', index: false });
await app.listen({ host: '127.0.0.1', port: 0 });
announce(app.server);
