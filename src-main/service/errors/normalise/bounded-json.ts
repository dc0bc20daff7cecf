/**
 * Returns the first `maxCharacters` of a value's JSON. It visits no more of the value than it
 * returns, so the cost does not depend on the size of the part that is cut off.
 *
 * @param value plain JSON data of bounded depth, as `Normaliser.value` returns it.
 */
export function boundedJson(value: unknown, maxCharacters: number): string {
  let text = '';
  const room = (): number => maxCharacters - text.length;

  function add(one: unknown): void {
    if (room() <= 0) return;
    if (typeof one === 'string') text += JSON.stringify(one.slice(0, room()));
    else if (typeof one !== 'object' || one === null) text += JSON.stringify(one) ?? 'null';
    else if (Array.isArray(one)) addList(one);
    else addObject(one as Readonly<Record<string, unknown>>);
  }

  function addList(list: readonly unknown[]): void {
    text += '[';
    for (let at = 0; at < list.length && room() > 0; at += 1) {
      if (at > 0) text += ',';
      add(list[at]);
    }
    text += ']';
  }

  function addObject(record: Readonly<Record<string, unknown>>): void {
    text += '{';
    let first = true;
    for (const name of Object.keys(record)) {
      if (room() <= 0) break;
      if (!first) text += ',';
      first = false;
      add(name);
      text += ':';
      add(record[name]);
    }
    text += '}';
  }

  add(value);
  return text.slice(0, maxCharacters);
}
