import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/**
 * Serialises an answer by the contract's TypeBox schema, as fastify itself does: undeclared members
 * are left out. The function is compiled on first use: compiling all of them took two thirds of the
 * start, and most are never used.
 */
export const serialiseBySchema: FastifySerializerCompiler<object> = ({ schema }) => {
  let write: ((data: unknown) => string) | undefined;
  return (data: unknown) => {
    write ??= fastJsonStringify(schema);
    return write(data);
  };
};
