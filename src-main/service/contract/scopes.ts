import { Type } from 'typebox';
import { scopeMeanings, type Scope } from './scope-meanings.ts';

export type { Scope };

export const scopes = Object.keys(scopeMeanings) as readonly Scope[];

export const ScopeSchema = Type.Enum(Object.keys(scopeMeanings) as [Scope, ...Scope[]], { title: 'Scope' });
