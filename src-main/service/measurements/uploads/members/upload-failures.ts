import { HttpProblem } from '../../../common/problem.ts';

/** An upload whose bytes are not those of its manifest; nothing of it is kept. */
export class DamagedUpload extends HttpProblem {
  constructor(detail: string) {
    super(422, detail, { type: 'damaged' });
  }
}

/** An upload that cannot go on, because something of it that was stored is gone. */
export class LostUpload extends HttpProblem {
  constructor(detail: string, cause?: unknown) {
    super(410, `${detail} Begin the upload again.`, { cause });
  }
}
