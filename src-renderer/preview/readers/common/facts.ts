import type { TreeChild, TreeNode } from '../../messages/content.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

const maxFacts = 100;
const maxAttributes = 1000;
const maxValueLength = 1000;

const cut = ({ name, value }: Fact): Fact => ({ name: name.slice(0, 200), value: value.slice(0, maxValueLength) });

/** The metadata of a file, as the root of a tree. */
export function rootNode(
  facts: readonly Fact[],
  attributes: readonly Fact[],
  children: readonly TreeChild[],
): TreeNode {
  return {
    kind: 'node',
    path: '/',
    type: 'group',
    facts: facts.slice(0, maxFacts).map(cut),
    attributes: attributes.slice(0, maxAttributes).map(cut),
    children,
    childCount: children.length,
    value: null,
    shape: [],
    picture: 'none',
  };
}

/** Values that are drawn as curves or planes, the last one or two dimensions at a time. */
export function arrayNode(
  path: string,
  shape: readonly number[],
  picture: 'line' | 'plane' | 'none',
  facts: readonly Fact[],
): TreeNode {
  return {
    kind: 'node',
    path,
    type: 'dataset',
    facts: facts.slice(0, maxFacts).map(cut),
    attributes: [],
    children: [],
    childCount: 0,
    value: null,
    shape,
    picture,
  };
}
