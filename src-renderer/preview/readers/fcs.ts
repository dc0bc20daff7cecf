import { malformed } from '../provider/preview-error.ts';
import { rootNode, type Fact } from './common/facts.ts';
import { hasText } from './common/magic.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';

const maxTextBytes = 1024 * 1024;
const named: Readonly<Record<string, string>> = {
  $TOT: 'Events',
  $PAR: 'Parameters',
  $CYT: 'Cytometer',
  $DATE: 'Date',
  $BTIM: 'Begun',
  $ETIM: 'Ended',
  $OP: 'Operator',
};

/** Keywords of a flow cytometry file (FCS 2.0 to 3.2); its events are not drawn. */
export const fcsReader: Reader = {
  matches: ({ head }) => hasText(head, 0, 'FCS2.') || hasText(head, 0, 'FCS3.'),
  async open(source, { head }): Promise<OpenedFile> {
    const header = new TextDecoder('latin1').decode(head.subarray(0, 58));
    const [from, to] = [Number(header.slice(10, 18)), Number(header.slice(18, 26))];
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 58 || to <= from)
      throw malformed('The header does not say where the keywords are.');
    const keywords = keywordsIn(await source.read(from, Math.min(to - from + 1, maxTextBytes)));
    if (keywords.length === 0) throw malformed('The file has no keywords.');
    const facts = keywords.flatMap(({ name, value }) => {
      const word = named[name.toUpperCase()];
      return word === undefined ? [] : [{ name: word, value }];
    });
    return {
      content: plainContent(`Flow cytometry file (${header.slice(0, 6)})`, ['tree']),
      async answer(question) {
        if (question.kind !== 'node') throw malformed('A flow cytometry file has no such part.');
        return rootNode(facts, keywords, []);
      },
    };
  },
};

/** Keywords and values, each ended by the first character; a doubled one stands for itself. */
function keywordsIn(bytes: Uint8Array): readonly Fact[] {
  const text = new TextDecoder().decode(bytes);
  const end = text[0] ?? '';
  if (end === '') return [];
  const parts: string[] = [];
  let part = '';
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] !== end) part += text[at];
    else if (text[at + 1] === end) {
      part += end;
      at += 1;
    } else {
      parts.push(part);
      part = '';
    }
  }
  const found: Fact[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2)
    found.push({ name: (parts[at] ?? '').trim(), value: (parts[at + 1] ?? '').trim() });
  return found;
}
