// The little that is used here of two packages that come without types.
declare module 'archiver' {
  import type { Writable } from 'node:stream';
  export class ZipArchive {
    constructor(options: { readonly store: boolean });
    pipe(target: Writable): void;
    file(path: string, data: { readonly name: string }): void;
    finalize(): Promise<void>;
  }
}

declare module 'yazl' {
  import type { Readable } from 'node:stream';
  export class ZipFile {
    readonly outputStream: Readable;
    addFile(path: string, name: string, options: { readonly compress: boolean }): void;
    end(): void;
  }
}
