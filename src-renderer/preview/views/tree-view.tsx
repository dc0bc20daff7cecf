import { ChevronDown, ChevronRight, Grid3x3, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { lineText } from '../../../src-shared/format/shown-text.ts';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import facts from '../../ui/styles/facts.module.css';
import type { TreeChild } from '../messages/content.ts';
import { DatasetPicture } from './dataset-picture.tsx';
import { useAnswer, type ViewProps, type ViewSource } from './source.ts';
import treeStyles from './tree-view.module.css';
import styles from './views.module.css';

interface BranchProps {
  readonly source: ViewSource;
  readonly path: string;
  readonly chosen: string;
  readonly onChoose: (path: string) => void;
}

const join = (path: string, name: string): string => `${path === '/' ? '' : path}/${name}`;

/** Groups and datasets, the chosen one with its attributes and its picture. */
export function TreeView({ source }: ViewProps) {
  const [chosen, setChosen] = useState(source.content.firstDataset ?? '/');
  return (
    <div className={treeStyles['halves']}>
      <nav aria-label="Contents of the file" className={treeStyles['tree']}>
        <ul>
          <li>
            <button
              type="button"
              aria-current={chosen === '/' ? 'true' : undefined}
              className={treeStyles['leaf']}
              onClick={() => setChosen('/')}
            >
              The whole file
            </button>
            <Branch source={source} path="/" chosen={chosen} onChoose={setChosen} />
          </li>
        </ul>
      </nav>
      <ScrollRegion label="What is chosen" className={styles['scroller'] ?? ''}>
        <Chosen key={chosen} source={source} path={chosen} />
      </ScrollRegion>
    </div>
  );
}

function Branch({ source, path, chosen, onChoose }: BranchProps) {
  const node = useAnswer(source, 'node', { kind: 'node', path });
  const { children = [], childCount = 0 } = node.data ?? {};
  return (
    <>
      <NotLoaded of={node} className="padded" />
      <ul>
        {children.map((child) => (
          <Child
            key={child.name}
            child={child}
            source={source}
            path={join(path, child.name)}
            chosen={chosen}
            onChoose={onChoose}
          />
        ))}
        {childCount > children.length ? (
          <li className="remark">and {countOf(childCount - children.length, 'more entry', 'more entries')}</li>
        ) : null}
      </ul>
    </>
  );
}

function Child({ child, source, path, chosen, onChoose }: BranchProps & { readonly child: TreeChild }) {
  const [isOpen, setOpen] = useState(chosen.startsWith(`${path}/`));
  const isGroup = child.type === 'group';
  const Sign = isGroup ? (isOpen ? ChevronDown : ChevronRight) : child.type === 'dataset' ? Grid3x3 : Link2Off;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isGroup ? isOpen : undefined}
        aria-current={chosen === path ? 'true' : undefined}
        disabled={child.type === 'link' || child.type === 'other'}
        className={treeStyles['leaf']}
        onClick={() => {
          onChoose(path);
          if (isGroup) setOpen(!isOpen);
        }}
      >
        <Sign aria-hidden />
        <span className="cut">{lineText(child.name)}</span>
        {child.summary === '' ? null : <span className={treeStyles['summary']}>{lineText(child.summary)}</span>}
      </button>
      {isGroup && isOpen ? <Branch source={source} path={path} chosen={chosen} onChoose={onChoose} /> : null}
    </li>
  );
}

function Chosen({ source, path }: { readonly source: ViewSource; readonly path: string }) {
  const node = useAnswer(source, 'node', { kind: 'node', path });
  if (node.data === undefined) return <NotLoaded of={node} className="padded" />;
  const { value, attributes } = node.data;
  return (
    <div className={treeStyles['chosen']}>
      <h3 className={treeStyles['path']}>{path === '/' ? 'The whole file' : lineText(path)}</h3>
      <DatasetPicture source={source} node={node.data} />
      <Facts pairs={[...node.data.facts, ...(value === null ? [] : [{ name: 'Value', value }])]} />
      {attributes.length === 0 ? null : (
        <>
          <h4>Attributes</h4>
          <Facts pairs={attributes} />
        </>
      )}
    </div>
  );
}

function Facts({ pairs }: { readonly pairs: readonly { readonly name: string; readonly value: string }[] }) {
  if (pairs.length === 0) return null;
  return (
    <dl className={facts['plain']}>
      {pairs.map(({ name, value }) => (
        <div key={name} className={treeStyles['pair']}>
          <dt>{lineText(name)}</dt>
          <dd>{lineText(value, 500)}</dd>
        </div>
      ))}
    </dl>
  );
}
