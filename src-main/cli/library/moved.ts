/** Result of moving measurements; `bytes` are those of the archives that moved. */
export interface Moved {
  readonly moved: number;
  readonly bytes: number;
  /** Measurements that stay where they are, each with the reason. */
  readonly left: readonly { readonly id: string; readonly reason: string }[];
}
