export interface EmittedAsset {
  readonly name: string;
  readonly source: Uint8Array<ArrayBuffer>;
}
export const hdf5Library: {
  transform(
    this: { readonly emitFile: (asset: EmittedAsset) => string },
    code: string,
    id: string,
  ): { readonly code: string } | null;
};
