import { Type, type Static } from 'typebox';
import { scopeMeanings, type Scope } from './scope-meanings.ts';

export { scopeMeanings, type Scope };

export const scopes = Object.keys(scopeMeanings) as readonly Scope[];

export const ScopeSchema = Type.Enum(Object.keys(scopeMeanings) as [Scope, ...Scope[]], { title: 'Scope' });
export type ScopeValue = Static<typeof ScopeSchema>;
