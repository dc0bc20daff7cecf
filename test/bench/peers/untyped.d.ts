// Minimal declarations for untyped packages.
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
    addBuffer(content: Buffer, name: string): void;
    end(): void;
  }
}

declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';
  interface Model {
    save(): Promise<string>;
  }
  interface Grant extends Model {
    addOIDCScope(scope: string): void;
  }
  type Context = Readonly<Record<string, unknown>>;
  export interface AdapterPayload {
    readonly grantId?: string;
    readonly uid?: string;
    readonly userCode?: string;
    readonly consumed?: number;
  }
  export interface Adapter {
    upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void>;
    find(id: string): Promise<AdapterPayload | undefined>;
    findByUid(uid: string): Promise<AdapterPayload | undefined>;
    findByUserCode(code: string): Promise<AdapterPayload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }
  export class Provider {
    readonly Client: { find(id: string): Promise<object> };
    readonly Grant: new (about: Context) => Grant;
    readonly RefreshToken: new (about: Context) => Model;
    readonly AccessToken: new (about: Context) => Model;
    constructor(
      issuer: string,
      configuration: Context & { readonly findAccount: (context: unknown, id: string) => object },
    );
    callback(): RequestListener;
  }
}
