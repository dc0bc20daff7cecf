/** A promise with the two ends that settle it. */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve: (value: Value) => void = () => {};
  reject: (error: Error) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}
