// Sets the clock of a process ahead (`node --import`).
const aheadMs = 300_000;
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[]) =>
    Reflect.construct(target, args.length > 0 ? args : [target.now() + aheadMs]) as Date,
  get: (target, name) =>
    name === 'now' ? () => RealDate.now() + aheadMs : (Reflect.get(target, name, target) as unknown),
});
