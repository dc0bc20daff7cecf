import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/**
 * Writes an answer with the contract's TypeBox schema, as fastify does by itself: what is not declared is left out. The function for it is made when it is
 * first needed: to make all of them was two thirds of a start, and most are never used.
 */
export const serialiseBySchema: FastifySerializerCompiler<object> = ({ schema }) => {
  let write: ((data: unknown) => string) | undefined;
  return (data: unknown) => {
    write ??= fastJsonStringify(schema);
    return write(data);
  };
};
