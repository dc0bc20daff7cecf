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
    const modifiedAt = Date.parse(childText(element, 'LastModified'));
    return {
      key: decodeURIComponent(key.replaceAll('+', '%20')),
      length,
      modifiedAt: Number.isFinite(modifiedAt) ? modifiedAt : null,
    };
  });
}

/** An upload in parts that was begun. */
interface BegunUpload {
  readonly key: string;
  readonly id: string;
  /** Time of its beginning (ISO 8601), empty when it is not stated. */
  readonly initiated: string;
}

/** A part of an upload that the storage has. */
export interface StoredPart {
  /** From 1 on. */
  readonly number: number;
  readonly etag: string;
  /** In bytes. */
  readonly length: number;
}

/** The uploads of a ListMultipartUploads answer; without those that cannot be read. */
export function uploadsIn({ body }: S3Answer): readonly BegunUpload[] {
  const all = [...elementsIn(rootOf(body), 'Upload')].map((element) => ({
    key: childText(element, 'Key'),
    id: childText(element, 'UploadId'),
    initiated: childText(element, 'Initiated'),
  }));
  return all.filter(({ id }) => id !== '');
}

/** The parts of a ListParts answer in order, without those that cannot be read, and whether there are more. */
export function partListIn(answer: S3Answer): { readonly parts: readonly StoredPart[]; readonly isTruncated: boolean } {
  const all = [...elementsIn(rootOf(answer.body), 'Part')].map((element) => ({
    number: Number(childText(element, 'PartNumber')),
    etag: childText(element, 'ETag'),
    length: Number(childText(element, 'Size')),
  }));
  const parts = all.filter(({ number, length }) => Number.isSafeInteger(number) && number > 0 && length >= 0);
  return {
    parts: parts.toSorted((a, b) => a.number - b.number),
    isTruncated: textsIn(answer, 'IsTruncated')[0] === 'true',
  };
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
