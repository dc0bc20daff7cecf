/** A response of a part of the fake service. */
export interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Replaces a JSON body. */
  readonly text?: string;
}

export const answer = (status: number, body: unknown, headers: Record<string, string> = {}): FakeAnswer => ({
  status,
  body,
  headers,
});

/** A problem document. @param type the last part of its type. */
export const refused = (status: number, title: string, detail: string, type?: string): FakeAnswer =>
  answer(status, {
    type: type === undefined ? 'about:blank' : `urn:benchport:problem:${type}`,
    title,
    status,
    detail,
    request_id: 'req-7f3a91c2',
  });
