/**
 * Puts an entry into a map of at most `capacity` entries, as its newest; beyond it the entry that was
 * put longest ago is evicted.
 */
export function putBounded<Key, Value>(map: Map<Key, Value>, capacity: number, key: Key, value: Value): void {
  map.delete(key);
  if (map.size >= capacity) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, value);
}
