import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { ObjectStorageError, type ListedObject } from './object-storage.ts';

/** The answer to a request other than the reading of an object. */
export interface S3Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** The texts of elements with a name, anywhere in an answer; empty when it is no XML. */
export function textsIn({ body }: S3Answer, name: string): readonly string[] {
  return [...elementsIn(rootOf(body), name)].map(({ text }) => text);
}

/** The code of an error, such as `NoSuchKey`; empty for an answer without one, as to HEAD. */
export function errorCodeOf(answer: S3Answer): string {
  return textsIn(answer, 'Code')[0] ?? '';
}

/** The objects of a ListObjectsV2 answer with `encoding-type=url`. @throws ObjectStorageError */
export function objectsIn({ body }: S3Answer): readonly ListedObject[] {
  return [...elementsIn(rootOf(body), 'Contents')].map((element) => {
    const key = childText(element, 'Key');
    const length = Number(childText(element, 'Size'));
    if (key === '' || !Number.isSafeInteger(length) || length < 0)
      throw new ObjectStorageError('bad-answer', 'The object storage sent a list that cannot be read.');
    return { key: decodeURIComponent(key.replaceAll('+', '%20')), length };
  });
}

function childText(parent: XmlElement, name: string): string {
  for (const child of parent.children) if (child instanceof XmlElement && child.name === name) return child.text;
  return '';
}

function rootOf(body: Buffer): XmlElement | null {
  try {
    return parseXml(body.toString('utf8')).root;
  } catch {
    return null;
  }
}

function* elementsIn(element: XmlElement | null, name: string): Generator<XmlElement> {
  if (!element) return;
  if (element.name === name) yield element;
  for (const child of element.children) if (child instanceof XmlElement) yield* elementsIn(child, name);
}
