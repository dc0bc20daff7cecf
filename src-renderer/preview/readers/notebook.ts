import { malformed, PreviewError } from '../provider/preview-error.ts';
import { encodingOf } from './common/encodings.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';

const maxBytes = 16 * 1024 * 1024;
const partLength = 64 * 1024;
const maxOutput = 20_000;

type Fields = Readonly<Record<string, unknown>>;

/** Notebooks of Jupyter (nbformat 4) as text: cells and the text that they printed. */
export const notebookReader: Reader = {
  matches: ({ head, name }) => name.endsWith('.ipynb') && encodingOf(head) !== null,
  async open(source): Promise<OpenedFile> {
    if (source.length > maxBytes)
      throw new PreviewError('limit', 'The notebook is larger than the 16 MiB that a preview reads of one.');
    const text = textOf(parse(new TextDecoder().decode(await source.read(0, source.length))));
    return {
      content: plainContent('Jupyter notebook', ['text'], ['Pictures and other output of cells are named, not shown.']),
      async answer(question) {
        if (question.kind !== 'text') throw malformed('A notebook has no such part.');
        const end = Math.min(text.length, question.offset + partLength);
        const part = text.slice(question.offset, end);
        return { kind: 'text', text: part, encoding: 'UTF-8', next: end < text.length ? end : null };
      },
    };
  },
};

function parse(text: string): readonly Fields[] {
  try {
    const { cells } = JSON.parse(text) as Fields;
    if (Array.isArray(cells)) return cells.filter(isFields);
  } catch {
    // Said below.
  }
  throw malformed('The notebook is no JSON with a list of cells.');
}

function textOf(cells: readonly Fields[]): string {
  return cells
    .map((cell) => {
      const count = typeof cell['execution_count'] === 'number' ? ` ${cell['execution_count']}` : '';
      const kind = cell['cell_type'] === 'code' ? `Code${count}` : cell['cell_type'] === 'markdown' ? 'Text' : 'Raw';
      const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].filter(isFields) : [];
      return [`--- ${kind} ---`, joined(cell['source']), ...outputs.map(outputText)].join('\n');
    })
    .join('\n\n');
}

function outputText(output: Fields): string {
  const data = isFields(output['data']) ? output['data'] : {};
  const said = joined(output['text'] ?? data['text/plain'] ?? output['traceback']);
  const others = Object.keys(data).filter((type) => type !== 'text/plain');
  return ['--- Output ---', said.slice(0, maxOutput), ...others.map((type) => `[${type.slice(0, 100)}]`)]
    .filter((line) => line !== '')
    .join('\n');
}

function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
