/**
 * Puts an entry into a map of at most `capacity` entries; beyond it the oldest entry is evicted.
 */
export function putBounded<Key, Value>(map: Map<Key, Value>, capacity: number, key: Key, value: Value): void {
  if (map.size >= capacity && !map.has(key)) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, value);
}
